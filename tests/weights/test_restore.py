"""Test that a checkpoint that went to MindSpore comes back bit by bit."""

# mypy: allow-subclassing-any
from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mindspore import nn
from safetensors.torch import load_file

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights import engine
from porter.weights.convert import convert_weights
from porter.weights.report import WeightsError
from porter.weights.restore import restore_weights
from porter.weights.shards import Written, write_shard
from tests.weights.support import Network, TorchNetwork, bits, entry, save, table, torch_network

TRANSPOSED = entry("torch.nn.Bilinear", "mindspore.nn.BiDense", None, {"weight": "permute:2,0,1"})
DTYPES = {
    torch.float32: ms.float32,
    torch.float16: ms.float16,
    torch.bfloat16: ms.bfloat16,
    torch.float64: ms.float64,
    torch.int64: ms.int64,
    torch.int8: ms.int8,
    torch.bool: ms.bool_,
}


@pytest.mark.parametrize("suffix", [".ckpt", ".safetensors"])
def test_torch_loads_what_comes_back(folder: Path, mapping: Mapping, suffix: str) -> None:
    network = torch_network()
    state = network.state_dict()
    there = folder / f"there{suffix}"
    convert_weights(save(state, folder / "m.pt"), there, cell=Network(), mapping=mapping)
    report = restore_weights(there, folder / "b.safetensors", cell=Network(), mapping=mapping)
    back = load_file(folder / "b.safetensors")
    assert set(back) == set(state) - {"norm.num_batches_tracked"}
    for name, value in back.items():
        assert value.dtype == state[name].dtype
        assert bits(value).tobytes() == bits(state[name]).tobytes(), name
    other = TorchNetwork().eval()
    other.load_state_dict(back | {"norm.num_batches_tracked": torch.tensor(0)})
    tokens = torch.tensor([[0, 3, 6]])
    assert torch.equal(other(tokens), network(tokens))
    rows = {item.target: item for item in report.tensors}
    assert rows["convolution.weight"].source_shape == (4, 4, 1, 3)
    assert rows["convolution.weight"].shape == (4, 4, 3)
    assert rows["head.weight"].sources == ("embedding.embedding_table",)


class Drawn(nn.Cell):
    """Hold drawn children: Cells of the mapping, free Parameters and lists of them."""

    def __init__(self, children: list[Any]) -> None:
        super().__init__()
        for index, child in enumerate(children):
            setattr(self, f"child{index}", make_cell(child))


def make_cell(child: Any) -> Any:
    kind, sizes, dtype = child
    if kind == "list":
        return nn.CellList([make_cell(item) for item in sizes])
    if kind == "free":
        return ms.Parameter(ms.Tensor(np.zeros(sizes, np.float32)).astype(DTYPES[dtype]))
    size, other = sizes
    makers: dict[str, Callable[[], Any]] = {
        "norm": lambda: nn.LayerNorm((size,), dtype=DTYPES[dtype]),
        "linear": lambda: nn.Dense(size, other, dtype=DTYPES[dtype]),
        "embedding": lambda: nn.Embedding(size, other),
        "convolution": lambda: nn.Conv1d(size, other, 2, has_bias=True, dtype=DTYPES[dtype]),
        "bilinear": lambda: nn.BiDense(size, other, 3, dtype=DTYPES[dtype]),
    }
    return makers[kind]()


def shapes(child: Any) -> dict[str, tuple[tuple[int, ...], torch.dtype]]:
    """Return local torch name -> shape and dtype, written independently of the mapping."""
    kind, sizes, dtype = child
    if kind == "list":
        items = enumerate(shapes(item) for item in sizes)
        return {f"{index}.{name}": value for index, item in items for name, value in item.items()}
    if kind == "free":
        return {"": (sizes, dtype)}
    size, other = sizes
    found: dict[str, tuple[int, ...]] = {
        "norm": {"weight": (size,), "bias": (size,)},
        "linear": {"weight": (other, size), "bias": (other,)},
        "embedding": {"weight": (size, other)},
        "convolution": {"weight": (other, size, 2), "bias": (other,)},
        # The transform permute:2,0,1 turns this into MindSpore's (3, size, other).
        "bilinear": {"weight": (size, other, 3), "bias": (3,)},
    }[kind]
    # mindspore.nn.Embedding ignores its dtype argument.
    dtype = torch.float32 if kind == "embedding" else dtype
    return {name: (shape, dtype) for name, shape in found.items()}


FLOATS = st.sampled_from([torch.float32, torch.float16, torch.bfloat16])
SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4))
MODULES = st.tuples(
    st.sampled_from(["norm", "linear", "embedding", "convolution", "bilinear"]), SIZES, FLOATS
)
FREE = st.tuples(
    st.just("free"),
    st.lists(st.integers(1, 3), max_size=3).map(tuple),
    st.sampled_from(list(DTYPES)),
)
LISTS = st.tuples(st.just("list"), st.lists(MODULES, min_size=1, max_size=2), st.none())


def random_tensor(shape: tuple[int, ...], dtype: torch.dtype, random: np.random.Generator) -> Any:
    """Return a tensor of random bits: NaN payloads, infinities and subnormal values among them."""
    if dtype is torch.bool:
        return torch.from_numpy(random.integers(0, 2, shape).astype(bool))
    width = torch.empty(0, dtype=dtype).element_size()
    raw = random.integers(0, 256, (int(np.prod(shape)), width), np.uint8)
    return torch.from_numpy(raw).view(dtype).reshape(shape)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    children=st.lists(st.one_of(MODULES, FREE, LISTS), min_size=1, max_size=4),
    suffix=st.sampled_from([".ckpt", ".safetensors"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_bits_survive_the_round_trip(children: list[Any], suffix: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    state = {
        f"child{index}.{name}".rstrip("."): random_tensor(*value, random)
        for index, child in enumerate(children)
        for name, value in shapes(child).items()
    }
    mapping = table(TRANSPOSED)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        source, there = save(state, place / "m.pt"), place / f"there{suffix}"
        convert_weights(source, there, cell=Drawn(children), mapping=mapping)
        restore_weights(there, place / "b.safetensors", cell=Drawn(children), mapping=mapping)
        back = load_file(place / "b.safetensors")
    assert set(back) == set(state)
    for key, value in back.items():
        assert value.dtype == state[key].dtype
        assert value.shape == state[key].shape
        assert bits(value).tobytes() == bits(state[key]).tobytes()


def test_the_dtype_of_the_file_is_kept(folder: Path, mapping: Mapping) -> None:
    path = save(torch_network().state_dict(), folder / "m.pt")
    there = folder / "there.ckpt"
    convert_weights(path, there, cell=Network(), mapping=mapping, dtype="bfloat16")
    restore_weights(there, folder / "b.safetensors", cell=Network(), mapping=mapping)
    assert {item.dtype for item in load_file(folder / "b.safetensors").values()} == {torch.bfloat16}


@pytest.mark.parametrize("suffix", [".ckpt", ".safetensors"])
def test_a_file_of_another_cell_is_refused(folder: Path, mapping: Mapping, suffix: str) -> None:
    path = save({"weight": torch.ones(3, 2), "bias": torch.ones(3)}, folder / "m.pt")
    there = folder / f"there{suffix}"
    convert_weights(path, there, cell=nn.Dense(2, 3), mapping=mapping)
    before = sorted(folder.iterdir())
    with pytest.raises(WeightsError) as caught:
        restore_weights(there, folder / "b.safetensors", cell=nn.LayerNorm((3,)), mapping=mapping)
    assert (
        sorted(finding.code for finding in caught.value.findings) == ["PRT501"] * 2 + ["PRT502"] * 2
    )
    with pytest.raises(WeightsError) as caught:
        restore_weights(there, folder / "b.safetensors", cell=nn.Dense(3, 3), mapping=mapping)
    assert [finding.message for finding in caught.value.findings] == [
        "Parameter weight: the file has (3, 2), where the Cell has (3, 3)"
    ]
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("name", ["m.ckpt", "m.safetensors", "missing.ckpt", "m.pt"])
def test_an_unreadable_file_is_refused(folder: Path, mapping: Mapping, name: str) -> None:
    if not name.startswith("missing"):
        (folder / name).write_bytes(b"no checkpoint at all")
    with pytest.raises(PorterError) as caught:
        restore_weights(
            folder / name, folder / "b.safetensors", cell=nn.Dense(2, 3), mapping=mapping
        )
    assert caught.value.code == "PRT507"
    assert "\n" not in str(caught.value)
    assert not (folder / "b.safetensors").exists()


def test_a_ckpt_file_that_holds_text_is_refused(folder: Path, mapping: Mapping) -> None:
    ms.save_checkpoint(nn.Dense(2, 3), str(folder / "m.ckpt"), append_dict={"note": "text"})
    with pytest.raises(PorterError, match="'note' is no tensor"):
        restore_weights(
            folder / "m.ckpt", folder / "b.safetensors", cell=nn.Dense(2, 3), mapping=mapping
        )


def test_only_safetensors_comes_back(folder: Path, mapping: Mapping) -> None:
    with pytest.raises(PorterError, match=r"must end in \.safetensors") as caught:
        restore_weights(folder / "m.ckpt", folder / "b.pt", cell=nn.Dense(2, 3), mapping=mapping)
    assert caught.value.code == "PRT405"


def test_a_flipped_bit_is_noticed(
    folder: Path, mapping: Mapping, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save({"weight": torch.ones(3, 2), "bias": torch.ones(3)}, folder / "m.pt")
    convert_weights(path, folder / "there.ckpt", cell=nn.Dense(2, 3), mapping=mapping)
    before = sorted(folder.iterdir())

    def write_badly(path: Path, *arguments: Any) -> Written:
        written = write_shard(path, *arguments)
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
        return written

    monkeypatch.setattr(engine, "write_shard", write_badly)
    with pytest.raises(PorterError, match="tensor weight has other values") as caught:
        restore_weights(
            folder / "there.ckpt", folder / "b.safetensors", cell=nn.Dense(2, 3), mapping=mapping
        )
    assert caught.value.code == "PRT509"
    assert sorted(folder.iterdir()) == before
