"""What a number is, said beside the name of its variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from learners.data.scales import PLAIN, Scale

from .text import count, shorten

MOST = 12  # variables told of in a sentence


def with_unit(name: str, scales: Mapping[str, Scale], text: Callable[[str], str] = shorten) -> str:
    """The name as `text` has it, and what a number of the data is, if that needs saying: pay (normal score)."""
    unit = scales.get(name, PLAIN).of_data
    return f"{text(name)} ({text(unit)})" if unit else text(name)


def units_sentence(names: Iterable[str], scales: Mapping[str, Scale]) -> str:
    """The units of the numbers of the data, of the variables where they need saying."""
    told = [f"{shorten(name)}: {unit}" for name in names if (unit := scales.get(name, PLAIN).of_data)]
    more = f"; and {count(len(told) - MOST, 'more', 'more')}" if len(told) > MOST else ""
    return f"Units: {'; '.join(told[:MOST])}{more}." if told else ""
