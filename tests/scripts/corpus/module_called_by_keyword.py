import torch
layer = torch.nn.ReLU()
result = layer(input=torch.tensor([-1.0, 2.0]))
pool = torch.nn.MaxPool2d(kernel_size=2)
other = pool(input=torch.arange(16.0).reshape(1, 1, 4, 4))
loss = torch.nn.MSELoss()(input=torch.ones(2), target=torch.zeros(2))
mixed = torch.nn.L1Loss()(torch.ones(2), target=torch.zeros(2))
