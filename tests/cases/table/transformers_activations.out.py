"""The activations of transformers, each a module."""

from mindspore import nn

from .runtime.activations import (
    AccurateGELUActivation,
    ClippedGELUActivation,
    FastGELUActivation,
    GELUActivation,
    GELUTanh,
    LaplaceActivation,
    LinearActivation,
    MishActivation,
    NewGELUActivation,
    QuickGELUActivation,
    ReLUSquaredActivation,
    SiLUActivation,
    SqrtSoftplusActivation,
)


class Activations(nn.Cell):
    def __init__(self):
        super().__init__()
        self.accurategeluactivation = AccurateGELUActivation()
        self.clippedgeluactivation = ClippedGELUActivation(min=-10, max=10)
        self.fastgeluactivation = FastGELUActivation()
        self.geluactivation = GELUActivation()
        self.gelutanh = GELUTanh()
        self.laplaceactivation = LaplaceActivation()
        self.linearactivation = LinearActivation()
        self.mishactivation = MishActivation()
        self.newgeluactivation = NewGELUActivation()
        self.quickgeluactivation = QuickGELUActivation()
        self.relusquaredactivation = ReLUSquaredActivation()
        self.siluactivation = SiLUActivation()
        self.sqrtsoftplusactivation = SqrtSoftplusActivation()
