import torch

a = torch.ones(2, 3, requires_grad=True)
b = torch.tensor([1.0, 2.0], requires_grad=False)
c = torch.zeros(2, device="cpu", dtype=torch.float32)
