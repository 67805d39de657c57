import torch

module = torch.nn.Module()
module.register_buffer("buffer", torch.ones(2))
module.register_parameter("weight", torch.nn.Parameter(torch.full((2,), 3.0)))
module.add_module("part", torch.nn.ReLU())
result = module.buffer + module.weight
activated = module.part(-result)
