"""Time to the first result: of a fresh process, of the app in a browser, and for compiling all kernels.

Warm means that all kernels are compiled. Cold means that the folder of compiled kernels is empty, so that the kernels
of the run are compiled first; files in the cache of the operating system are in memory in both cases.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .browser import GRAPH, open_page, serve
from .machine import ROOT
from .problem import Answer, Run

FIRST_RESULT = """
from learners import learn
from learners.io.samples import load_sample
learn("pc", load_sample("alarm").dataset)
"""


def process(*, cold: bool) -> Run:
    """Time a new Python process that imports the library, reads the alarm sample and runs PC-stable once."""
    _set_up(cold)

    def run() -> Answer:
        with _environment(cold) as env:
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", FIRST_RESULT], cwd=ROOT, env=env, check=True)
            return Answer(seconds=time.perf_counter() - began)

    return run


def app(*, cold: bool) -> Run:
    """Time from ``streamlit run app.py`` to the first graph on the Start page; the browser is open already."""
    _set_up(cold)

    def run() -> Answer:
        with _environment(cold) as env, open_page() as page:
            began = time.perf_counter()
            with serve(ROOT / "app.py", env) as address:
                healthy = time.perf_counter() - began
                page.goto(address)
                page.locator(GRAPH).first.wait_for()
                seconds = time.perf_counter() - began
        return Answer(seconds=seconds, note=f"server up after {healthy:.2f} s")

    return run


def kernels(*, cold: bool) -> Run:
    """Time ``python -m learners warm-up``: the kernels of every learner, on all cores."""
    _set_up(cold)

    def run() -> Answer:
        with _environment(cold) as env:
            began = time.perf_counter()
            subprocess.run([sys.executable, "-m", "learners", "warm-up"], cwd=ROOT, env=env, check=True)
            return Answer(seconds=time.perf_counter() - began)

    return run


def _set_up(cold: bool) -> None:
    if not cold:
        subprocess.run([sys.executable, "-m", "learners", "warm-up"], cwd=ROOT, check=True, capture_output=True)


@contextmanager
def _environment(cold: bool) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as empty:
        yield os.environ | ({"EDGEWISE_CACHE": empty} if cold else {})
