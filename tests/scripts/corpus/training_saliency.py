import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3))
fill(model)
model.eval()
image = torch.sin(torch.arange(4.0)).view(1, 4)
image.requires_grad_()
scores = model(image)
score = scores.max()
score.backward()
saliency = image.grad.abs()
