import itertools
import math
import random
import torch
from collections import OrderedDict, namedtuple
from functools import reduce
Point = namedtuple("Point", "x y")
point = Point(torch.ones(1), 2)
a = reduce(lambda s, t: s + t, [torch.ones(2)] * 3)
b = [i * j for i, j in itertools.product(range(2), repeat=2)]
c = math.prod(torch.ones(2, 3).shape)
d = list(OrderedDict(a=1))
random.seed(0)
e = point.y
