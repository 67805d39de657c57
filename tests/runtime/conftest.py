"""Run each test of the runtime in its own folder, and leave MindSpore's mode as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import mindspore as ms
import pytest


@pytest.fixture(autouse=True)
def _own_folder_and_mode(in_folder: Path) -> Iterator[None]:
    # MindSpore collects garbage at each compilation: spare it what was there before the test.
    gc.freeze()
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)
