"""Functions within functions: in tables, and called after a name they see was bound again."""

import mindspore as ms
from mindspore import mint, nn, ops


class Model(nn.Cell):
    def __init__(self, kinds: tuple[str, ...]):
        super().__init__()
        self.kinds = kinds
        self.table = nn.Embedding(8, 4)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        options = {"value": x}
        makers = {
            "one": lambda: ops.ones_like(options["value"]),
            "two": lambda: options["value"].view((-1, 2, 2)).swapaxes(1, 2),
        }
        made = {}
        for kind in set(self.kinds):
            made[kind] = makers[kind]()
        for kind in self.kinds:
            x = x + mint.sum(made[kind])
        return x

    def late(self, x: ms.Tensor) -> ms.Tensor:
        def double() -> ms.Tensor:
            return x * 2

        x = x.unsqueeze(0)
        return double()

    def looked_up(self, ids: ms.Tensor) -> ms.Tensor:
        # the range is the caller's business
        found = self.table(ids)
        return found
