import torch

device = torch.device("cpu")
x = torch.ones(2, device=device)
y = x.to(device)
z = y.cpu().to("cpu")
if torch.cuda.is_available():
    z = z.cuda()
result = z + 1
