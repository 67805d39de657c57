import torch

x = torch.ones(2, 3)
assert x.shape == (2, 3)
assert x.shape == torch.Size([2, 3])
assert torch.all(x == 1)
assert x.sum().item() == 6
print(x.shape, x.dtype)
print(f"mean {x.mean().item():.2f}")
message = f"{tuple(x.shape)}"
