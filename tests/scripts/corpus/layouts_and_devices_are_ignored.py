import torch
a = torch.zeros(2, layout=torch.strided, device="cpu", pin_memory=False)
b = a.contiguous()
c = a.is_contiguous()
d = a.to("cpu", non_blocking=True)
e = torch.ones(1, 1, 2, 2).to(memory_format=torch.channels_last)
torch.set_printoptions(precision=3)
