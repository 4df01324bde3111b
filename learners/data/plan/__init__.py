"""Plans: what happens to each column before learning, and data sets prepared by them."""

from importlib import import_module
from typing import Any

# Notebooks exported by version 0.2 import these names from here.
EARLIER_HOMES = {"Binning": ".binning", "ColumnPlan": ".plan", "Plan": ".plan"}


def __getattr__(name: str) -> Any:
    """Load a class that was defined here in version 0.2 from its present module."""
    if name not in EARLIER_HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(EARLIER_HOMES[name], __name__), name)
