import torch

loss = torch.tensor([1.0, 2.0]).sum()
text = f"{loss:.3f} of {len(torch.ones(3))}"
whole = f"{torch.tensor(7):d}"
print(f"shape {loss.shape} and {loss.dtype}")
