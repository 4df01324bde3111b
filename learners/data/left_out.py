"""Columns outside a data set that some of its variables determine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOut:
    """A column that is no variable, although it could replace any of the variables that determine it.

    For example, of a sum and its two parts any two determine the third. Which of the three is left out is a choice,
    and the directions that a learner finds at the other two may depend on it.

    Attributes
    ----------
    name : str
    by : tuple of str
        The variables that determine it, two or more.
    """

    name: str
    by: tuple[str, ...]
