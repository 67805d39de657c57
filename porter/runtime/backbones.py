"""Give vision backbones the names and widths of the stages that their configuration asks for."""

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any


class BackboneMixin:
    """Stand before a model class whose result holds the feature maps of some of its stages.

    `num_features`, the channels of each stage, is set by the model's own constructor.
    """

    has_attentions = True
    config: Any
    num_features: Any

    def __init__(self, config: Any, **kwargs: Any) -> None:
        super().__init__(config, **kwargs)  # type: ignore[call-arg]
        config.verify_out_features_out_indices()
        self.stage_names = config.stage_names
        self.num_features = None

    @property
    def out_features(self) -> list[str]:
        """Return the names of the stages whose feature maps are given."""
        return self.config.out_features  # type: ignore[no-any-return]

    @property
    def out_indices(self) -> list[int]:
        """Return the places of these stages among all."""
        return self.config.out_indices  # type: ignore[no-any-return]

    @property
    def out_feature_channels(self) -> dict[str, int]:
        """Return the channels of every stage by its name."""
        return {stage: self.num_features[i] for i, stage in enumerate(self.stage_names)}

    @property
    def channels(self) -> list[int]:
        """Return the channels of the feature maps that are given."""
        return [self.out_feature_channels[name] for name in self.out_features]
