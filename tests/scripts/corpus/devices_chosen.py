import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.ReLU().to(device)
x = torch.tensor([-1.0, 1.0]).to(device)
result = model(x)
