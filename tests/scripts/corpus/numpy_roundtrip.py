import numpy as np
import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
a = x.numpy()
b = torch.from_numpy(np.array([1, 2, 3]))
c = torch.tensor(np.ones((2, 2), dtype=np.float32))
d = torch.as_tensor(np.arange(3.0))
e = x.sum().numpy()
f = np.asarray([1.0]).sum()
