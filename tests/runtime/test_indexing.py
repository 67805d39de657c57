"""Hold indexing, algebra, tables and split weights to what samples of the tables do not reach."""

# mypy: allow-subclassing-any

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import Parameter, Tensor, nn, ops

from porter.runtime import algebra, containers, embedding, indexing, seeding, spatial, weight_norm

from .support import check, floats


class _Summed(nn.Cell):
    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, index: Tensor) -> Tensor:
        return self.cell(index).sum()


def test_a_table_without_padding_is_looked_up_with_its_whole_gradient() -> None:
    cell = embedding.Embedding(5, 4, None)
    index = Tensor([[0, 3], [0, 1]], ms.int64)
    found = ms.grad(_Summed(cell), None, cell.trainable_params())(index)
    counts = [2.0, 1.0, 0.0, 1.0, 0.0]
    np.testing.assert_array_equal(found[0].asnumpy(), np.repeat(counts, 4).reshape(5, 4))


def test_the_row_of_padding_starts_as_zeros_and_others_do_not() -> None:
    table = embedding.Embedding(5, 4, -2).embedding_table.asnumpy()
    assert not table[3].any()
    assert table[[0, 1, 2, 4]].any(axis=1).all()


def test_a_training_step_leaves_the_row_of_padding() -> None:
    cell = embedding.Embedding(5, 4, padding_idx=1)
    before = cell.embedding_table.asnumpy().copy()
    index = Tensor([[1, 3], [0, 1]], ms.int64)
    ms.set_context(mode=ms.GRAPH_MODE)
    gradients = ms.grad(_Summed(cell), None, cell.trainable_params())(index)
    nn.SGD(cell.trainable_params(), 0.5)(gradients)
    after = cell.embedding_table.asnumpy()
    np.testing.assert_array_equal(after[1], before[1])
    assert not np.allclose(after[3], before[3])


def test_scatter_reduce_refuses_an_index_that_does_not_cover_the_other_axes() -> None:
    index = Tensor(np.zeros((1, 2), np.int64))
    with pytest.raises(ValueError, match="covers all axes"):
        indexing.scatter_reduce(Tensor(floats(3, 4)), 1, index, Tensor(floats(3, 2)), "sum")
    with pytest.raises(ValueError, match="reduce is"):
        indexing.scatter_reduce(
            Tensor(floats(3, 4)), 0, Tensor(np.zeros((1, 4), np.int64)), Tensor(floats(1, 4)), "max"
        )


def test_index_put_refuses_a_mask() -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        indexing.index_put(Tensor(floats(3)), (Tensor([True, False, True]),), Tensor([1.0]))


def test_embedding_bag_refuses_what_torch_refuses() -> None:
    index, table = Tensor([[0, 1]], ms.int64), Tensor(floats(3, 2))
    with pytest.raises(ValueError, match="mode sum"):
        embedding.embedding_bag(index, table, "mean", Tensor([[1.0, 2.0]]))
    with pytest.raises(ValueError, match="mode is"):
        embedding.embedding_bag(index, table, "median")


def test_matrix_norm_refuses_the_norms_by_singular_values() -> None:
    for order in (2, -2, "nuc"):
        with pytest.raises(ValueError, match="matrix_norm knows"):
            algebra.matrix_norm(Tensor(floats(3, 4)), order)


def test_a_triangular_system_of_many_rows_is_solved() -> None:
    size = 24
    matrix = np.tril(floats(size, size)) * 0.3 + 2 * np.eye(size, dtype=np.float32)
    known = floats(size, 3, seed=1)
    found = algebra.solve_triangular(Tensor(matrix), Tensor(known), upper=False).asnumpy()
    np.testing.assert_allclose(matrix @ found, known, rtol=1e-4, atol=1e-5)


class _Normed(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layer = weight_norm.weight_norm(nn.Conv1d(4, 3, 2, pad_mode="valid", has_bias=True))

    def construct(self, value: Tensor) -> Tensor:
        return self.layer(value) * ops.abs(self.layer.weight).sum()


def test_a_split_weight_can_be_read_from_outside() -> None:
    cell = _Normed()
    weight = torch.from_numpy(cell.layer.weight.asnumpy().copy())[:, :, 0]
    bias = torch.from_numpy(cell.layer.bias.asnumpy().copy())

    def reference(value: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.conv1d(value, weight, bias) * weight.abs().sum()

    check(lambda: cell, reference, floats(2, 4, 5), modes=("strict", "pynative"))


def test_removing_a_split_weight_gives_a_parameter_with_its_value() -> None:
    layer = nn.Dense(4, 3)
    names = sorted(layer.parameters_dict())
    for split in (weight_norm.weight_norm, weight_norm.weight_norm_pair):
        split(layer)
        assert sorted(layer.parameters_dict()) != names
        value = layer.weight.asnumpy()
        weight_norm.remove_weight_norm(layer)
        assert isinstance(layer.weight, Parameter)
        assert sorted(name.rpartition(".")[2] for name, _ in layer.parameters_and_names()) == names
        np.testing.assert_array_equal(layer.weight.asnumpy(), value)
    with pytest.raises(ValueError, match="no weight_norm"):
        weight_norm.remove_weight_norm(layer)
    with pytest.raises(ValueError, match="called weight"):
        weight_norm.weight_norm(layer, "bias")


def test_a_list_of_parameters_is_one_of_python() -> None:
    parameters = [Parameter(Tensor([float(number)])) for number in range(3)]
    values = containers.ParameterList(parameters[:1]).extend(parameters[1:])
    assert len(values) == 3
    assert [float(item) for item in values] == [0.0, 1.0, 2.0]
    assert float(values[-1]) == 2.0
    assert list(values.parameters_dict()) == ["0", "1", "2"]
    with pytest.raises(IndexError):
        values[3]


def test_a_dictionary_of_parameters_is_one_of_python() -> None:
    values = containers.ParameterDict({"a": Parameter(Tensor([1.0]))})
    values["b"] = Parameter(Tensor([2.0]))
    assert (len(values), values.keys(), float(values["b"])) == (2, ["a", "b"], 2.0)
    with pytest.raises(KeyError):
        values["c"]


def test_a_batch_norm_of_any_rank_trains_as_that_of_torch() -> None:
    ours, theirs = spatial.SyncBatchNorm(3, 1e-3, 0.2), torch.nn.BatchNorm3d(3, 1e-3, 0.2)
    value = floats(2, 3, 2, 4, 5)
    ours.set_train(True)
    found = ours(Tensor(value)).asnumpy()
    wanted = theirs(torch.from_numpy(value)).detach().numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    mean = theirs.running_mean
    assert mean is not None
    np.testing.assert_allclose(ours.bn2d.moving_mean.asnumpy(), mean.numpy(), rtol=1e-4, atol=1e-6)


def test_a_quantile_with_whole_places_is_an_element() -> None:
    value = Tensor([[3.0, 1.0, 2.0]])
    for share, wanted in ((0.0, 1.0), (0.5, 2.0), (1.0, 3.0)):
        assert float(algebra.quantile(value, share)) == wanted


def test_seeds_that_are_drawn_differ() -> None:
    assert len({seeding.seed() for _ in range(4)}) > 1
