import torch

promoted = torch.promote_types(torch.int32, torch.float32)
mixed = torch.promote_types(torch.uint8, torch.int8)
floating = torch.float32.is_floating_point
size = torch.int8.itemsize
x = torch.ones(2, 3)
name = x.type()
whole = x.long().type()
named = x.type("torch.DoubleTensor")
by_class = x.type(torch.LongTensor)
by_dtype = x.type(dtype=torch.float16)
of_tensor = x.dtype.is_floating_point
width = x.dtype.itemsize
index = torch.device("cuda:1").index
none = torch.device("cpu").index
short = torch.ShortTensor([1, 2])
count = torch.Size((2, 3)).numel()
