import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
inputs = torch.sin(torch.arange(60.0)).view(20, 3)
targets = (inputs.sum(1) > 0).long()
loader = DataLoader(TensorDataset(inputs, targets), batch_size=6, shuffle=False)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
fill(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
epoch_losses = []
for epoch in range(4):
    model.train()
    running_loss = 0.0
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad(set_to_none=True)
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
        optimizer.step()
        running_loss += loss.item() * data.size(0)
    scheduler.step()
    epoch_losses.append(running_loss / len(loader.dataset))
model.eval()
correct = 0
with torch.no_grad():
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        pred = model(data).argmax(dim=1)
        correct += (pred == target).sum().item()
weights = [p.detach() for p in model.parameters()]
