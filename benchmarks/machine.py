"""Environment of the figures: the machine, its load, and the versions of all software."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from learners.common.version import __version__

ROOT = Path(__file__).resolve().parents[1]
VERSIONS_OF = """
import importlib.metadata, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


def cpu_model() -> str:
    """Return the name of the processor as the system reports it."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1].strip() if found else platform.processor() or platform.machine()


def load() -> float | None:
    """Return the average number of runnable processes over the last minute, or None if it is unknown."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def peer_python() -> str:
    """Return the path of the Python with the peers: $EDGEWISE_PEER_PYTHON, or this one."""
    return os.environ.get("EDGEWISE_PEER_PYTHON", sys.executable)


def installed(python: str, packages: list[str]) -> dict[str, str]:
    """Return the versions of those `packages` that are installed for `python`."""
    command = [python, "-c", VERSIONS_OF, *packages]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def our_version() -> str:
    """Return the version, with the commit if known; "+" marks uncommitted changes."""
    commit = _git("rev-parse", "--short", "HEAD")
    if not commit:
        return __version__
    return f"{__version__} ({commit}{'+' if _git('status', '--porcelain', 'learners', 'viz', 'pages') else ''})"


def _git(*words: str) -> str:
    try:
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
