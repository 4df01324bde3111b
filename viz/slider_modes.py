"""Modes of the slider: the sequences of graphs that it can move through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SliderModes:
    """The slider modes of a kind of run.

    Attributes
    ----------
    labels : mapping of str to str
        Key and label of each mode.
    default : str
        Key of the initial mode.
    help : str
    """

    labels: Mapping[str, str]
    default: str
    help: str = ""


REPLAY = SliderModes({"run": "Run"}, "run")
