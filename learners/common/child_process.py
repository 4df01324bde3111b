"""Other processes of this library: they find it where this one did, and end with the one that started them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

PACKAGE_PARENT = Path(__file__).parents[2]  # of the package
POLL_SECONDS = 1.0


def start_module(module: str, *words: str, **options: Any) -> subprocess.Popen:
    """``python -m module words`` as a process of its own; `options` as those of `subprocess.Popen`."""
    path = os.pathsep.join(filter(None, (str(PACKAGE_PARENT), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen([sys.executable, "-m", module, *words], env=os.environ | {"PYTHONPATH": path}, **options)


def exit_with_parent(patience: float = 0.0) -> None:
    """End this process soon after the one that started it, also if that was killed; what it is at has `patience`."""
    known = parent_process()  # one that a pool began late may have lost its parent before it comes here
    parent = known.pid if known else os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        time.sleep(patience)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
