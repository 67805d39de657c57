"""Optimizers and schedulers of learning rates."""

import mindspore as ms
from mindspore import nn

from .runtime.optim import Adam


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 4)


def plain(model: Model) -> list:
    return [
        ms.experimental.optim.ASGD(model.trainable_params(), lr=0.1),
        ms.experimental.optim.Adadelta(model.trainable_params(), 0.5, 0.8),
        ms.experimental.optim.Adagrad(model.trainable_params(), lr=0.1, lr_decay=0.1),
        Adam(model.trainable_params(), lr=1e-3, betas=(0.8, 0.9), weight_decay=0.1),
        ms.experimental.optim.AdamW(model.trainable_params(), 1e-3),
        ms.experimental.optim.Adamax(model.trainable_params()),
        ms.experimental.optim.NAdam(model.trainable_params(), momentum_decay=0.01),
        ms.experimental.optim.RAdam(model.trainable_params(), lr=0.1),
        ms.experimental.optim.RMSprop(model.trainable_params(), lr=0.1, centered=True),
        ms.experimental.optim.Rprop(model.trainable_params(), etas=(0.4, 1.1)),
        ms.experimental.optim.SGD([{"params": model.trainable_params(), "lr": 0.1}], momentum=0.9, lr=0.001),
    ]


def scheduled(optimizer: ms.experimental.optim.Optimizer) -> list:
    return [
        ms.experimental.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5),
        ms.experimental.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5, eta_min=0.01),
        ms.experimental.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 3, 2),
        ms.experimental.optim.lr_scheduler.CyclicLR(optimizer, 0.01, 0.1),
        ms.experimental.optim.lr_scheduler.ExponentialLR(optimizer, 0.9),
        ms.experimental.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=(lambda epoch: 0.9**epoch)),
        ms.experimental.optim.lr_scheduler.LinearLR(optimizer, 0.5, total_iters=4),
        ms.experimental.optim.lr_scheduler.MultiStepLR(optimizer, [2, 5]),
        ms.experimental.optim.lr_scheduler.MultiplicativeLR(optimizer, (lambda epoch: 0.9)),
        ms.experimental.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=5, power=2.0),
        ms.experimental.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "min", patience=1),
        ms.experimental.optim.lr_scheduler.SequentialLR(optimizer, [ms.experimental.optim.lr_scheduler.StepLR(optimizer, 3)], [2]),
    ]
