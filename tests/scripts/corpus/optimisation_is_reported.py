# refused: PRT201
import torch
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.ones(1, 1)).sum()
optimizer.zero_grad()
loss.backward()
optimizer.step()
