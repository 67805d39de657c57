import torch
data = {"a": torch.ones(2), "b": torch.zeros(2)}
total = data["a"] + data["b"]
data["c"] = total * 2
keys = sorted(data)
summed = {name: value.sum().item() for name, value in data.items()}
