import mindspore as ms
from mindspore import mint, nn, ops


class Model(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        total = mint.sum(x)
        for place in ops.nonzero(x):
            total = total + mint.sum(place)
        places = ops.nonzero(x)
        for place in places:
            total = total + x[place[0], place[1]]
        return total + places.shape[0]
