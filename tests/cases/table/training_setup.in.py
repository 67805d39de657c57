"""Optimizers and schedulers of learning rates."""

import torch
from torch import nn, optim
from torch.optim import lr_scheduler


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)


def plain(model: Model) -> list:
    return [
        optim.ASGD(model.parameters(), lr=0.1),
        optim.Adadelta(model.parameters(), 0.5, 0.8),
        optim.Adagrad(model.parameters(), lr=0.1, lr_decay=0.1),
        optim.Adam(model.parameters(), lr=1e-3, betas=(0.8, 0.9), weight_decay=0.1),
        optim.AdamW(model.parameters(), 1e-3, foreach=True),
        optim.Adamax(model.parameters()),
        optim.NAdam(model.parameters(), momentum_decay=0.01),
        optim.RAdam(model.parameters(), lr=0.1),
        optim.RMSprop(model.parameters(), lr=0.1, centered=True),
        optim.Rprop(model.parameters(), etas=(0.4, 1.1)),
        torch.optim.SGD([{"params": model.parameters(), "lr": 0.1}], momentum=0.9),
    ]


def scheduled(optimizer: torch.optim.Optimizer) -> list:
    return [
        lr_scheduler.ConstantLR(optimizer, factor=0.5),
        lr_scheduler.CosineAnnealingLR(optimizer, T_max=5, eta_min=0.01),
        lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 3, 2),
        lr_scheduler.CyclicLR(optimizer, 0.01, 0.1, cycle_momentum=False),
        lr_scheduler.ExponentialLR(optimizer, 0.9),
        lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda epoch: 0.9**epoch),
        lr_scheduler.LinearLR(optimizer, 0.5, total_iters=4),
        lr_scheduler.MultiStepLR(optimizer, [2, 5]),
        lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.9),
        lr_scheduler.PolynomialLR(optimizer, total_iters=5, power=2.0),
        lr_scheduler.ReduceLROnPlateau(optimizer, "min", patience=1),
        lr_scheduler.SequentialLR(optimizer, [lr_scheduler.StepLR(optimizer, 3)], [2]),
    ]
