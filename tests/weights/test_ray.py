"""Test that a Ray cluster writes the files of a folder as threads do."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter.types import PorterError
from tests.weights.plain import ROOT, convert_plain, read_folder, write_shards

RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not RAY, reason='needs ray: pip install "porter-mindspore[ray]"')


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Start a cluster of two workers on this machine."""
    import ray

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}},
    )
    yield
    ray.shutdown()


@pytest.mark.skipif(RAY, reason="ray is installed")
def test_without_ray_the_engine_says_what_to_install(folder: Path) -> None:
    write_shards(folder / "in")
    with pytest.raises(PorterError, match="ray is not installed") as caught:
        convert_plain(folder / "in", folder / "out", engine="ray")
    assert caught.value.code == "PRT703"
    assert [item.name for item in folder.iterdir()] == ["in"]


@needs_ray
@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
def test_two_workers_write_what_threads_write(folder: Path) -> None:
    held = write_shards(folder / "in", 6)
    place = Path.cwd()
    for engine in ("ray", "threads"):
        convert_plain(place / "in", place / engine, shard_size=9000, engine=engine)
    assert len(read_folder(folder / "ray")) == len(held)
    for item in (folder / "threads").glob("model*"):
        assert (folder / "ray" / item.name).read_bytes() == item.read_bytes()


@needs_ray
@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
def test_an_error_of_a_worker_is_porters_own(folder: Path) -> None:
    write_shards(folder / "in")
    place = Path.cwd()
    damaged = place / "in" / "model-00002-of-00003.safetensors"

    from porter.weights.convert import Conversion
    from porter.weights.selection import Selection
    from porter.weights.settings import Settings

    settings = Settings(shard_size=9000, engine="ray")
    conversion = Conversion(place / "in", place / "out", Selection(), settings)
    damaged.write_bytes(damaged.read_bytes()[:-8])
    with pytest.raises(PorterError) as caught:
        conversion.infer()
    assert caught.value.code == "PRT507"
    assert not (folder / "out").exists()
