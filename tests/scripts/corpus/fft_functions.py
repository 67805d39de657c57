import torch

x = torch.tensor([0.0, 1.0, 2.0, 3.0])
a = torch.fft.fft(x)
b = torch.fft.ifft(a).real
c = torch.fft.rfft(x)
d = torch.fft.fftfreq(4)
e = torch.fft.fftshift(x)
