"""Start child processes that find this library and end with their parent."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

PACKAGE_PARENT = Path(__file__).parents[2]  # folder that contains the package
POLL_SECONDS = 1.0


def start_module(module: str, *words: str, **options: Any) -> subprocess.Popen:
    """Start ``python -m module words``; `options` are those of `subprocess.Popen`."""
    path = os.pathsep.join(filter(None, (str(PACKAGE_PARENT), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen([sys.executable, "-m", module, *words], env=os.environ | {"PYTHONPATH": path}, **options)


def exit_with_parent(patience: float = 0.0) -> None:
    """End this process once its parent has ended or was killed, after `patience` seconds for its current work."""
    known = parent_process()  # a process that starts late may have lost its parent already
    parent = known.pid if known else os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        time.sleep(patience)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
