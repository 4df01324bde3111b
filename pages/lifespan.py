"""Start and stop of the server: check its settings, patch Streamlit, save the runs in progress."""

from __future__ import annotations

import ast
import asyncio
import gc
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pages.session import streamlit_patches

FIRST_PAGE = Path(__file__).with_name("start.py")
_preparing: threading.Thread | None = None  # from the start of the server


def check_scheduler() -> None:
    """End the process with an error message if a scheduler is named and Dask is not installed."""
    if os.environ.get("EDGEWISE_SCHEDULER", "").strip() and find_spec("distributed") is None:
        sys.exit('edgewise: EDGEWISE_SCHEDULER needs Dask; `pip install "edgewise[cluster]"`, or leave it out')


@asynccontextmanager
async def serving(_app: Any) -> AsyncIterator[None]:
    """Patch Streamlit and load the first page in the background; on shutdown stop the runs and save their results."""
    global _preparing
    streamlit_patches.start()
    _preparing = threading.Thread(target=prepare_first_visit, name="first visit", daemon=True)
    _preparing.start()
    yield
    active_runs = sys.modules.get("pages.session.jobs.active_runs")  # absent before the first visitor
    if active_runs is not None:
        await asyncio.to_thread(active_runs.stop_all)


def prepare_first_visit() -> None:
    """Import the modules of the first page, and learn and draw its graph, so that the first visitor need not wait.

    Kernels that are not compiled yet are left to the process that compiles them. What is loaded here stays until the
    process ends, so no garbage is searched for in it: that would take a quarter of the time.
    """
    gc.disable()
    try:
        for module in ("pages.navigation", *_imports_of(FIRST_PAGE)):
            import_module(module)
        _learn_first_graph()
    finally:
        gc.freeze()
        gc.enable()


def _learn_first_graph() -> None:
    from learners.workers.warm_up import FIRST_LEARNER, ready
    from pages.session.state import FIRST_SAMPLE, first_result, sample_source
    from viz.kinds import layout_graph, timeline
    from viz.layout.positions import layout

    if ready((FIRST_LEARNER, sample_source(FIRST_SAMPLE).dataset.kind)):
        result = first_result(FIRST_SAMPLE)
        timeline(result, layout(layout_graph(result)))


def wait_until_prepared() -> None:
    """Let a visitor who comes at once wait for `prepare_first_visit`: doing the same in two threads takes longer."""
    if _preparing is not None:
        _preparing.join()


def _imports_of(script: Path) -> list[str]:
    """Return the modules that a page imports; the page itself is a script that Streamlit runs for each visitor."""
    found = []
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found.append(node.module)
            if find_spec(node.module).submodule_search_locations:
                inside = [f"{node.module}.{alias.name}" for alias in node.names]
                found += [name for name in inside if find_spec(name)]
    return found
