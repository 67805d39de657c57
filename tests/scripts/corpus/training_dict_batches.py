import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 3)
fill(model)
opt = torch.optim.AdamW(model.parameters(), lr=0.1)
batches = [{"x": torch.sin(torch.arange(6.0)).view(3, 2) * i, "y": torch.tensor([0, 1, 2])} for i in (1, 2)]
best = None
for epoch in range(2):
    total, n = 0.0, 0
    for batch in batches:
        batch = {k: v.to("cpu") for k, v in batch.items()}
        outputs = model(batch["x"])
        loss = nn.functional.cross_entropy(outputs, batch["y"], label_smoothing=0.1)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        total += loss.item() * len(batch["y"])
        n += len(batch["y"])
    avg = total / n
    if best is None or avg < best:
        best = avg
weights = [p.detach().clone() for p in model.parameters()]
