import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(4, 3)
fill(model)


def fgsm_attack(image, epsilon, data_grad):
    return torch.clamp(image + epsilon * data_grad.sign(), 0, 1)


data = torch.linspace(0.1, 0.9, 8).view(2, 4)
target = torch.tensor([0, 2])
data.requires_grad = True
output = model(data)
loss = F.nll_loss(F.log_softmax(output, dim=1), target)
model.zero_grad()
loss.backward()
data_grad = data.grad.data
perturbed = fgsm_attack(data, 0.05, data_grad)
