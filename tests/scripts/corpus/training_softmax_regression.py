import torch

X = torch.sin(torch.arange(20.0)).reshape(5, 4)
y = torch.tensor([0, 2, 1, 1, 0])
W = torch.zeros(4, 3).requires_grad_(True)
b = torch.zeros(3).requires_grad_(True)


def softmax(O):
    e = torch.exp(O)
    return e / e.sum(1, keepdim=True)


def cross_entropy(y_hat, y):
    return -torch.log(y_hat[range(len(y_hat)), y]).mean()


class SGD:
    def __init__(self, params, lr):
        self.params = params
        self.lr = lr

    def step(self):
        for p in self.params:
            p.data -= self.lr * p.grad

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad.zero_()


trainer = SGD([W, b], 0.5)
for epoch in range(4):
    l = cross_entropy(softmax(X @ W + b), y)
    trainer.zero_grad()
    l.backward()
    trainer.step()
end = W.detach().clone()
