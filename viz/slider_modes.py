"""What the slider can walk through in a kind of run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SliderModes:
    """What the slider can walk.

    Attributes
    ----------
    labels : mapping of str to str
        Name of each, and what it is called on screen.
    default : str
    help : str
    """

    labels: Mapping[str, str]
    default: str
    help: str = ""


REPLAY = SliderModes({"run": "Run"}, "run")
