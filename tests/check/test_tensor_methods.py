"""Hold each row of tensor_methods.toml to the compiler: one spelling fails, the other is right."""

from __future__ import annotations

import tomllib
from pathlib import Path

from porter.check.checker import check_files
from porter.check.fix import fixed_text
from porter.source.read import locate_module
from tests.check.pages import ALL_MODES, run_jobs, write_job

NET = """# inputs: float32[batch:2, 4]
from mindspore import Tensor, nn


class Net(nn.Cell):
    def construct(self, x: Tensor):
        return {call}
"""


def test_each_method_fails_in_the_graph_and_works_as_it_is_mended(tmp_path: Path) -> None:
    place = locate_module("porter.check.checker")
    assert place is not None
    rows = tomllib.loads(place.with_name("tensor_methods.toml").read_text("utf-8"))
    for name, row in rows.items():
        bad = NET.format(call=row["example"])
        path = tmp_path / f"{name}.py"
        path.write_text(bad, "utf-8")
        assert [item.finding.code for item in check_files([path]).problems] == ["PRT346"], name
        good = fixed_text(bad, path, (), ())
        assert set(row["keywords"].values()) <= set(
            good.replace("=", " ").replace("(", " ").split()
        )
        write_job(
            tmp_path / name, {"bad": bad, "good": good}, {"bad": ALL_MODES, "good": ALL_MODES}
        )
    for name, report in run_jobs(tmp_path).items():
        assert report["agree"], (name, report)
        assert all("error" in report["bad"][mode] for mode in ALL_MODES), (name, report["bad"])
        assert all(report["good"][mode].get("same") for mode in ALL_MODES), (name, report["good"])
