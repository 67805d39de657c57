import torch
x = torch.tensor([1 + 2j, 3 - 1j])
a = x.real
b = x.imag
c = torch.abs(x)
d = torch.complex(torch.tensor([1.0]), torch.tensor([2.0]))
e = torch.view_as_real(x)
f = torch.is_complex(x)
g = x.dtype
h = torch.conj(x)
