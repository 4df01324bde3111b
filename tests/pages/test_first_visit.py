"""Tests that a server loads its first page before the first visitor requests it."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pages import lifespan

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from streamlit.testing.v1 import AppTest
from pages.lifespan import prepare_first_visit
{before}
seen = set(sys.modules)
at = AppTest.from_file("app.py", default_timeout=120).run()
assert not at.exception
packages = {{"learners", "viz", "pages", "numpy", "pandas", "scipy", "numba", "pyarrow", "plotly"}}
print(*(name for name in set(sys.modules) - seen if name.split(".")[0] in packages))
"""


def loaded_by_the_first_visit(before: str) -> list[str]:
    """Return the modules that the first visit loads, in a process that has done `before`."""
    program = PROGRAM.format(before=before)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.deep
def test_the_first_visit_loads_nothing_more():
    """All modules of the app and the library are loaded, and the packages for computing and drawing."""
    assert len(loaded_by_the_first_visit("")) > 500
    assert loaded_by_the_first_visit("prepare_first_visit()") == []


def test_the_server_prepares_the_first_visit(monkeypatch):
    """Loading happens in a thread, so that the server answers at once."""
    done = threading.Event()
    monkeypatch.setattr(lifespan, "prepare_first_visit", done.set)

    async def live() -> None:
        async with lifespan.serving(None):
            assert await asyncio.to_thread(done.wait, 30)

    asyncio.run(live())


def test_a_visitor_who_comes_at_once_waits_for_the_preparation(monkeypatch):
    """Two threads that load the same page would take longer."""
    may_end = threading.Event()
    monkeypatch.setattr(lifespan, "prepare_first_visit", may_end.wait)
    monkeypatch.setattr(lifespan, "_preparing", None)
    lifespan.wait_until_prepared()  # no server has started

    async def live() -> None:
        async with lifespan.serving(None):
            visitor = threading.Thread(target=lifespan.wait_until_prepared)
            visitor.start()
            assert visitor.is_alive()
            may_end.set()
            await asyncio.to_thread(visitor.join)

    asyncio.run(live())


def test_garbage_is_collected_again_after_the_preparation(monkeypatch):
    """Also if a module of the first page cannot be imported."""

    def fail(_module: str) -> None:
        assert not gc.isenabled()
        raise ImportError

    monkeypatch.setattr(lifespan, "import_module", fail)
    with pytest.raises(ImportError):
        lifespan.prepare_first_visit()
    assert gc.isenabled()
