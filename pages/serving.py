"""Start and stop of the server: check its settings, patch Streamlit, save the runs under way."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from pages.session import streamlit_patches


def check_scheduler() -> None:
    """End the process with a sentence if a scheduler is named and Dask is not installed."""
    if os.environ.get("EDGEWISE_SCHEDULER", "").strip() and find_spec("distributed") is None:
        sys.exit('edgewise: EDGEWISE_SCHEDULER needs Dask; `pip install "edgewise[cluster]"`, or leave it out')


@asynccontextmanager
async def serving(_app: Any) -> AsyncIterator[None]:
    """Patch Streamlit when the server starts; stop the runs under way and save what they have when it stops."""
    streamlit_patches.start()
    yield
    underway = sys.modules.get("pages.session.underway")  # not there before the first visitor
    if underway is not None:
        await asyncio.to_thread(underway.stop_all)
