import torch
x = torch.tensor([1.0, -1.0])
if x.sum() > 0:
    result = x
else:
    result = -x
if (x > 0).any():
    flag = True
both = bool((x > 0).any()) and bool((x < 0).any())
count = 0
for value in x:
    if value > 0:
        count += 1
