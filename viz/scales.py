"""What a number is, said beside the name of its variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from learners.data.scales import PLAIN, Scale

from .text import shorten


def with_unit(name: str, scales: Mapping[str, Scale], text: Callable[[str], str] = shorten) -> str:
    """The name as `text` has it, and what a number of the data is, if that needs saying: pay (normal score)."""
    unit = scales.get(name, PLAIN).of_data
    return f"{text(name)} ({text(unit)})" if unit else text(name)
