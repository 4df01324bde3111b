"""The server begins and ends: what it was told to use is there, and what is under way is not lost."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any


def check_scheduler() -> None:
    """End the process with a sentence if a scheduler is named and Dask is not installed."""
    if os.environ.get("EDGEWISE_SCHEDULER", "").strip() and find_spec("distributed") is None:
        sys.exit("edgewise: EDGEWISE_SCHEDULER needs Dask; `pip install distributed`, or leave it out")


@asynccontextmanager
async def serving(_app: Any) -> AsyncIterator[None]:
    """As long as the server does; then the runs under way are stopped, and what they have is kept."""
    yield
    underway = sys.modules.get("pages.session.underway")  # not there before the first visitor
    if underway is not None:
        await asyncio.to_thread(underway.stop_all)
