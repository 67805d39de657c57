"""Name the class that a factory chooses by a configuration."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from porter.cli import main
from porter.source.factories import with_classes
from porter.source.read import SourceModule, read_module

TEXT = """
from torch import nn
from transformers import AutoModel, AutoModelForCausalLM as Causal  # the factories
from transformers import AutoModelForSeq2SeqLM
from transformers.backbone_utils import load_backbone


class Pair(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.eyes = AutoModel.from_config(
            config.vision_config,
            attn_implementation="eager",
        )
        self.voice = Causal._from_config(config=config.text_config)
        self.spine = load_backbone(config)
        self.other = AutoModel.from_config(config)
        self.reads = AutoModelForSeq2SeqLM.from_config(
            config.text_config)
        self.last = 1
"""
CONFIGURATION = {
    "inner": {"vision_config": {"model_type": "clip_vision_model"}},
    "text_config": {"model_type": "opt"},
    "backbone_config": {"model_type": "dinov2"},
}


@pytest.fixture
def module(tmp_path: Path) -> SourceModule:
    path = tmp_path / "pair.py"
    path.write_text(TEXT)
    return read_module(path, "pair")


def test_each_factory_becomes_the_class_and_lines_keep_their_numbers(module: SourceModule) -> None:
    found = with_classes(module, CONFIGURATION)
    lines, old = found.text.splitlines(), TEXT.splitlines()
    assert len(lines) == len(old)
    assert lines[-1] == old[-1]
    assert "self.eyes = CLIPVisionModel(config.vision_config" in found.text
    assert "self.voice = OPTForCausalLM(config.text_config)" in found.text
    assert "self.spine = Dinov2Backbone(config.backbone_config)" in found.text
    assert "self.other = AutoModel.from_config(config)" in found.text
    missing = "AutoModelForSeq2SeqLM has no class for model_type 'opt'"
    assert f'        raise ValueError("{missing}"\n)' in found.text
    assert "; from transformers.models.opt.modeling_opt import OPTForCausalLM" in found.text
    assert ast.dump(ast.parse(found.text)) == ast.dump(found.tree)


@pytest.mark.parametrize(
    "configuration",
    [
        {},
        {"vision_config": {}, "text_config": {"model_type": "no such kind"}},
        {"vision_config": {"model_type": "bert"}, "a": {"vision_config": {"model_type": "vit"}}},
    ],
)
def test_what_the_configuration_does_not_say_is_left(
    module: SourceModule, configuration: dict[str, Any]
) -> None:
    assert with_classes(module, configuration) == module


def test_the_command_takes_the_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "pair.py"
    source.write_text(
        "from torch import nn\nfrom transformers import AutoModel\n\n\nclass Eyes(nn.Module):\n"
        "    def __init__(self, config):\n        super().__init__()\n"
        "        self.eyes = AutoModel.from_config(config.vision_config)\n\n"
        "    def forward(self, x):\n        return self.eyes(x)[0]\n"
    )
    config = tmp_path / "config.json"
    config.write_text('{"vision_config": {"model_type": "vit"}}')
    arguments = ["port", f"{source}:Eyes", "-o", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert "PRT102" in capsys.readouterr().out
    main([*arguments, "--config", str(config), "--force"])
    assert "PRT102" not in capsys.readouterr().out
    text = (tmp_path / "out" / "pair.py").read_text()
    assert "ViTModel(config.vision_config)" in text
    config.write_text("[")
    assert main([*arguments, "--config", str(config), "--force"]) == 2
    assert "PRT701" in capsys.readouterr().err
