import torch
import torch.nn.functional as F
x = torch.arange(4.0).reshape(1, 2, 2)
a = F.pad(x, (1, 0))
b = F.pad(x, pad=(1, 1, 1, 1), mode="constant", value=2.0)
c = F.pad(x, (1, 1), mode="replicate")
d = F.pad(x, (1, 1), "reflect")
