# refused: PRT214
import torch


class Model:
    def __init__(self):
        self.a = torch.tensor(0.5, requires_grad=True)
        self.b = torch.tensor(-0.5, requires_grad=True)

    def __call__(self, x):
        return self.a * x + self.b


def train(model, x, y, lr):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        model.a -= lr * model.a.grad
        model.b -= lr * model.b.grad
        model.a.grad.zero_()
        model.b.grad.zero_()
    return loss.item()


model = Model()
x = torch.linspace(-1, 1, 10)
y = 2 * x + 1
history = [train(model, x, y, 0.1) for _ in range(5)]
a = model.a.item()
