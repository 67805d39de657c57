"""Hold the tokens of ported models to those of torch's own `generate`, in GRAPH_MODE."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import Tensor
from transformers import AutoConfig, Blip2Config, BlipConfig

from porter.runtime.sampling import choose

from .support import Pair, make_pair

NEW = 32
SMALL = {
    "vocab_size": 97,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 80,
    "bos_token_id": 1,
    "eos_token_id": None,
    "pad_token_id": 0,
}
ENCODER_DECODER = {
    "vocab_size": 97,
    "d_model": 32,
    "eos_token_id": None,
    "forced_eos_token_id": None,
    "decoder_start_token_id": 2,
    "pad_token_id": 1,
}
GPT2 = {
    "vocab_size": 97,
    "n_embd": 32,
    "n_layer": 2,
    "n_head": 4,
    "n_positions": 80,
    "bos_token_id": 1,
    "eos_token_id": None,
}
T5 = {**ENCODER_DECODER, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4}
BART = {
    **ENCODER_DECODER,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 80,
}
OPT = {
    **{name: value for name, value in SMALL.items() if name != "intermediate_size"},
    "ffn_dim": 48,
    "word_embed_proj_dim": 32,
}
GROUPED = {**SMALL, "num_key_value_heads": 2}
WINDOWED = {**GROUPED, "sliding_window": 8}


@dataclass(frozen=True, slots=True)
class Model:
    """A model type of transformers, the class that generates, and its small configuration."""

    kind: str
    name: str
    options: dict[str, Any]

    @property
    def source(self) -> str:
        return f"transformers.models.{self.kind}.modeling_{self.kind}:{self.name}"


DECODERS = [
    Model("llama", "LlamaForCausalLM", GROUPED),
    pytest.param(Model("gpt2", "GPT2LMHeadModel", GPT2), marks=pytest.mark.slow),
    pytest.param(Model("opt", "OPTForCausalLM", OPT), marks=pytest.mark.slow),
    pytest.param(Model("qwen2", "Qwen2ForCausalLM", GROUPED), marks=pytest.mark.slow),
    pytest.param(Model("mistral", "MistralForCausalLM", WINDOWED), marks=pytest.mark.slow),
    pytest.param(
        Model("gemma2", "Gemma2ForCausalLM", {**WINDOWED, "head_dim": 8}), marks=pytest.mark.slow
    ),
    pytest.param(Model("phi", "PhiForCausalLM", SMALL), marks=pytest.mark.slow),
    pytest.param(Model("gpt_neox", "GPTNeoXForCausalLM", SMALL), marks=pytest.mark.slow),
    pytest.param(
        Model("bert", "BertLMHeadModel", {**SMALL, "is_decoder": True}), marks=pytest.mark.slow
    ),
]
WITH_ENCODERS = [
    Model("t5", "T5ForConditionalGeneration", T5),
    Model("bart", "BartForConditionalGeneration", BART),
]
CAPTIONS = BlipConfig(
    text_config={
        **SMALL,
        "encoder_hidden_size": 24,
        "projection_dim": 16,
        "eos_token_id": 2,
        "sep_token_id": 96,
        "is_decoder": True,
    },
    vision_config={
        "hidden_size": 24,
        "intermediate_size": 40,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "image_size": 16,
        "patch_size": 8,
        "projection_dim": 16,
    },
    projection_dim=16,
)
IDS = np.random.default_rng(0).integers(3, 96, (2, 5))
LEFT = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
RIGHT = LEFT[:, ::-1].copy()
PIXELS = np.random.default_rng(6).normal(size=(2, 3, 16, 16)).astype(np.float32)


@pytest.fixture(autouse=True)
def _graph_mode(in_folder: Path) -> Iterator[None]:
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE, jit_syntax_level=ms.LAX)


@pytest.fixture(scope="module")
def captions(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return the captioning model of BLIP."""
    source = "transformers.models.blip.modeling_blip:BlipForConditionalGeneration"
    return make_pair(source, CAPTIONS, tmp_path_factory.mktemp("blip"))


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a decoder with rotary embeddings and grouped heads."""
    return made(Model("llama", "LlamaForCausalLM", GROUPED), tmp_path_factory.mktemp("llama"))


def made(model: Model, folder: Path) -> Pair:
    return make_pair(model.source, AutoConfig.for_model(model.kind, **model.options), folder)


def as_torch(mask: Any) -> Any:
    return None if mask is None else torch.from_numpy(mask)


def drawn(reference: Any, ids: Any, mask: Any, seed: int) -> Any:
    """Draw tokens by porter's choice from torch's logits of the whole sequence: no cache."""
    random = np.random.default_rng(seed)
    tokens = ids
    for _ in range(NEW):
        padded = np.ones_like(tokens)
        padded[:, : ids.shape[1]] = mask
        positions = np.maximum(padded.cumsum(1) - 1, 0)
        with torch.no_grad():
            logits = reference(
                torch.from_numpy(tokens),
                attention_mask=torch.from_numpy(padded),
                position_ids=torch.from_numpy(positions),
                use_cache=False,
            ).logits[:, -1]
        chosen = choose(logits.numpy(), random, temperature=1.0, top_k=20, top_p=0.95)
        tokens = np.concatenate((tokens, chosen[:, None]), axis=1)
    return tokens


@pytest.mark.parametrize("model", DECODERS, ids=lambda model: model.kind)
def test_a_decoder_gives_the_tokens_of_torch(model: Model, tmp_path: Path) -> None:
    pair = made(model, tmp_path)
    for mask in (None, LEFT):
        wanted = pair.reference.generate(
            torch.from_numpy(IDS),
            max_new_tokens=NEW,
            do_sample=False,
            attention_mask=as_torch(mask),
        )
        found = pair.ported.generate(IDS, max_new_tokens=NEW, attention_mask=mask)
        assert found.asnumpy().tolist() == wanted.tolist()
    options = {"do_sample": True, "top_k": 20, "top_p": 0.95, "seed": 3}
    found = pair.ported.generate(IDS, max_new_tokens=NEW, attention_mask=LEFT, **options).asnumpy()
    assert found.tolist() == drawn(pair.reference, IDS, LEFT, 3).tolist()
    assert min(len(set(row)) for row in found[:, 5:].tolist()) > 10
    assert pair.ported.token_generator.compilations == {"prompt": 1, "step": 1}


@pytest.mark.slow
@pytest.mark.parametrize("model", WITH_ENCODERS, ids=lambda model: model.kind)
def test_a_model_with_an_encoder_gives_the_tokens_of_torch(model: Model, tmp_path: Path) -> None:
    pair = made(model, tmp_path)
    for mask in (None, RIGHT):
        wanted = pair.reference.generate(
            torch.from_numpy(IDS),
            max_new_tokens=NEW,
            do_sample=False,
            num_beams=1,
            attention_mask=as_torch(mask),
        )
        found = pair.ported.generate(IDS, max_new_tokens=NEW, attention_mask=mask)
        assert found.asnumpy().tolist() == wanted.tolist()
    random = np.random.default_rng(3)
    tokens = np.full((2, 1), 2)
    for _ in range(NEW):
        with torch.no_grad():
            logits = pair.reference(
                input_ids=torch.from_numpy(IDS),
                attention_mask=torch.from_numpy(RIGHT),
                decoder_input_ids=torch.from_numpy(tokens),
            ).logits[:, -1]
        chosen = choose(logits.numpy(), random)
        tokens = np.concatenate((tokens, chosen[:, None]), axis=1)
    found = pair.ported.generate(
        IDS, max_new_tokens=NEW, attention_mask=RIGHT, do_sample=True, seed=3
    )
    assert found.asnumpy().tolist() == tokens.tolist()
    assert min(len(set(row)) for row in tokens.tolist()) > 10
    assert pair.ported.token_generator.compilations == {"prompt": 1, "step": 1}


@pytest.mark.parametrize("prompt", [None, IDS], ids=["image", "image and text"])
def test_captions_are_those_of_torch(captions: Pair, prompt: Any) -> None:
    text = None if prompt is None else torch.from_numpy(prompt.copy())
    wanted = captions.reference.generate(
        torch.from_numpy(PIXELS), input_ids=text, max_new_tokens=NEW, do_sample=False
    )
    text = None if prompt is None else Tensor(prompt.copy())
    found = captions.ported.generate(Tensor(PIXELS), input_ids=text, max_new_tokens=NEW)
    assert found.asnumpy().tolist() == wanted.tolist()
    assert max(len(set(row)) for row in wanted.tolist()) > 10
    graphs = captions.ported.text_decoder.token_generator.compilations
    assert graphs["step"] == 1
    assert graphs["prompt"] <= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        {"model_type": "opt", **OPT, "bos_token_id": 2, "pad_token_id": 1},
        {"model_type": "t5", **T5, "bos_token_id": 2},
    ],
    ids=lambda text: text["model_type"],
)
def test_captions_by_a_query_former_are_those_of_torch(
    text: dict[str, Any], tmp_path: Path
) -> None:
    """The queries are embeddings that stand before the prompt."""
    vision = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
    }
    config = Blip2Config(
        vision_config={**vision, "image_size": 16, "patch_size": 8},
        qformer_config={**vision, "encoder_hidden_size": 32, "vocab_size": 99},
        text_config=text,
        num_query_tokens=4,
        image_token_index=96,
    )
    source = "transformers.models.blip_2.modeling_blip_2:Blip2ForConditionalGeneration"
    pair = make_pair(source, config, tmp_path)
    wanted = pair.reference.generate(
        torch.from_numpy(PIXELS), max_new_tokens=NEW, do_sample=False, num_beams=1
    )
    found = pair.ported.generate(Tensor(PIXELS), max_new_tokens=NEW)
    assert found.asnumpy().tolist() == wanted.tolist()
    assert len(set(wanted.flatten().tolist())) > 4
    assert pair.ported.language_model.token_generator.compilations == {"prompt": 1, "step": 1}


def test_embeddings_stand_for_a_prompt(llama: Pair) -> None:
    embeds = llama.reference.get_input_embeddings()(torch.from_numpy(IDS)).detach()
    wanted = llama.reference.generate(inputs_embeds=embeds, max_new_tokens=NEW, do_sample=False)
    found = llama.ported.generate(inputs_embeds=embeds.numpy(), max_new_tokens=NEW)
    assert found.asnumpy().tolist() == wanted.tolist()
    assert found.shape == (2, NEW)


def test_another_image_gives_another_caption(captions: Pair) -> None:
    """The keys of the image before it are not read again."""
    for pixels in (PIXELS, PIXELS[::-1].copy(), -PIXELS):
        wanted = captions.reference.generate(
            torch.from_numpy(pixels), max_new_tokens=NEW, do_sample=False
        )
        found = captions.ported.generate(Tensor(pixels), max_new_tokens=NEW)
        assert found.asnumpy().tolist() == wanted.tolist()


def _stuck(self: Any, length: int) -> None:
    """Count nothing."""


def test_a_position_that_stands_still_gives_other_tokens(
    llama: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = llama.reference.generate(torch.from_numpy(IDS), max_new_tokens=NEW, do_sample=False)
    package = type(llama.ported).__module__.rpartition(".")[0]
    caching = __import__(f"{package}.runtime.caching", fromlist=["StaticCache"])
    llama.ported.token_generator = None
    with monkeypatch.context() as patched:
        patched.setattr(caching.StaticCache, "advance", _stuck)
        found = llama.ported.generate(IDS, max_new_tokens=NEW)
    llama.ported.token_generator = None
    assert found.asnumpy()[:, :6].tolist() == wanted[:, :6].tolist()
    assert found.asnumpy().tolist() != wanted.tolist()


def _nothing_held(self: Any, layer_idx: int = 0) -> Any:
    """Give a position that is not the cache's."""
    return self.position + 3


def test_a_model_that_errs_with_a_cache_is_refused(
    llama: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = type(llama.ported).__module__.rpartition(".")[0]
    caching = __import__(f"{package}.runtime.caching", fromlist=["StaticCache"])
    llama.ported.token_generator = None
    with monkeypatch.context() as patched:
        patched.setattr(caching.StaticCache, "get_seq_length", _nothing_held)
        with pytest.raises(ValueError, match="other logits with a cache"):
            llama.ported.generate(IDS, max_new_tokens=4)
    llama.ported.token_generator = None


def test_a_row_ends_and_is_filled(llama: Pair) -> None:
    free = llama.ported.generate(IDS, max_new_tokens=NEW).asnumpy()
    end = int(free[0, 9])
    options = {"max_new_tokens": NEW, "eos_token_id": end, "pad_token_id": 0}
    wanted = llama.reference.generate(torch.from_numpy(IDS), do_sample=False, **options)
    found = llama.ported.generate(IDS, **options).asnumpy()
    assert found.tolist() == wanted.tolist()
    assert found[0].tolist().count(end) == 1
    alone = llama.ported.generate(IDS[:1], **options).asnumpy()
    assert alone.tolist() == found[:1, : alone.shape[1]].tolist()
    assert alone[0, -1] == end


def test_padding_in_a_prompt_is_masked(llama: Pair) -> None:
    padded = np.where(LEFT, IDS, 0)
    options = {"max_new_tokens": 8, "eos_token_id": 96, "pad_token_id": 0}
    wanted = llama.reference.generate(torch.from_numpy(padded), do_sample=False, **options)
    assert llama.ported.generate(padded, **options).asnumpy().tolist() == wanted.tolist()


def test_a_longer_sequence_is_compiled_anew(llama: Pair) -> None:
    llama.ported.token_generator = None
    short = llama.ported.generate(IDS, max_new_tokens=4).asnumpy()
    first = llama.ported.token_generator
    long = llama.ported.generate(IDS, max_length=70).asnumpy()
    assert llama.ported.token_generator is not first
    assert long.shape == (2, 70)
    assert long[:, :9].tolist() == short.tolist()
    assert llama.ported.token_generator.compilations == {"prompt": 1, "step": 1}
    assert len({parameter.name for parameter in llama.ported.get_parameters()}) == len(
        llama.reference.state_dict()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "max_new_tokens"),
        ({"max_new_tokens": 4, "num_beams": 3}, "num_beams"),
        ({"max_new_tokens": 4, "attention_mask": RIGHT}, "on their left"),
        ({"max_new_tokens": 4, "do_sample": True, "top_p": 2.0}, "top_p"),
    ],
    ids=["no number", "beams", "padded on the right", "top_p"],
)
def test_what_cannot_be_done_is_refused(llama: Pair, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        llama.ported.generate(IDS, **options)


def test_a_generator_has_room_for_so_many_tokens(llama: Pair) -> None:
    package = type(llama.ported).__module__.rpartition(".")[0]
    generation = __import__(f"{package}.runtime.generation", fromlist=["Generator"])
    with pytest.raises(ValueError, match="do not fit a max_length of 8"):
        generation.Generator(llama.ported, 8).generate(IDS, 4)
    with pytest.raises(ValueError, match="takes no cache"):
        generation.Generator(llama.ported.lm_head, 8, config=llama.ported.config)
