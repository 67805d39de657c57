import torch
from torch.nn.modules.linear import Linear

layer = Linear(4, 2)
width, height = layer.in_features, layer.out_features
training = layer.training
evaluating = layer.eval().training
table = torch.nn.Embedding(5, 3)
rows, columns = table.num_embeddings, table.embedding_dim
activation = torch.nn.modules.activation.ReLU()
result = activation(torch.tensor([-1.0, 1.0]))
weight = torch.nn.parameter.Parameter(torch.ones(2))
