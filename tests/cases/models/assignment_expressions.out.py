import mindspore as ms
from mindspore import nn, ops


class Model(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor, mask=None) -> ms.Tensor:
        # The mask may come as a dictionary.
        masks = mask
        if not isinstance(masks, dict):
            masks = {"full": ops.ones((x.shape[0], 1, 1)) * 3}
        hidden = self.linear(x)
        y = hidden + hidden * 2
        if x.shape[0] == 17:
            y = y - 1
        else:
            rows = x.shape[0]
            if rows > 1:
                y = y * rows
        return y * masks["full"]
