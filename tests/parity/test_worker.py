"""Hold workers to ending with those who wait for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

WORKER = """
import sys
import time
from pathlib import Path
from porter.parity.worker import Journal

Path(sys.argv[1], "pid").write_text(str(__import__("os").getpid()))
Journal(Path(sys.argv[1])).run("sleep", lambda: time.sleep(600), "PRT608")
"""
PARENT = """
import sys
from pathlib import Path
from porter.parity.worker import run_tasks

run_tasks("sleeping_worker", Path(sys.argv[1]), ["sleep"], time_limit=600,
          progress=lambda task: None, crash_code="PRT608")
"""


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(") ")[2][0] != "Z"


def wait_for(condition: object, seconds: float) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def test_a_worker_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    (tmp_path / "sleeping_worker.py").write_text(WORKER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], env=environment)
    noted = tmp_path / "pid"
    assert wait_for(lambda: noted.exists() and noted.read_text(), 30)
    pid = int(noted.read_text())
    assert is_running(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert wait_for(lambda: not is_running(pid), 20)
