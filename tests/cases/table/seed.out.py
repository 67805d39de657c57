"""Seeds, devices, and questions whose answer is fixed in a port."""

import mindspore as ms


def prepare(x: ms.Tensor) -> ms.Tensor:
    ms.set_seed(0)
    return x.astype(ms.float32)
