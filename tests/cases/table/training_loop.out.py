"""Loops that train: a loss, its gradients, a step."""

import mindspore as ms
from mindspore import nn

from .runtime.gradients import clipped_by_norm, clipped_by_value


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 1)

    def construct(self, x):
        return self.layer(x)


def train(model: Model, loader, epochs: int) -> float:
    criterion = nn.MSELoss()
    optimizer = ms.experimental.optim.SGD(model.trainable_params(), lr=0.1, momentum=0.9)
    scheduler = ms.experimental.optim.lr_scheduler.StepLR(optimizer, step_size=2)
    total = 0.0
    for epoch in range(epochs):
        for x, y in loader:
            # What the model says.
            def forward_loss():
                prediction = model(x)
                loss = criterion(prediction, y)
                return loss, prediction

            (loss, prediction), gradients = ms.value_and_grad(forward_loss, None, optimizer.parameters, has_aux=True)()
            gradients, norm = clipped_by_norm(gradients, 1.0)
            gradients = clipped_by_value(gradients, 0.5)
            optimizer(gradients)
            total += loss.item()
            print(norm, prediction.shape)
        scheduler.step()
        print([float(rate) for rate in scheduler.get_last_lr()])
    return total
