"""Names of torch that the source binds a second time."""

try:
    import torch
except ImportError:
    torch = None


def inside(x):
    return torch.relu(x)
