"""What a number is, said beside the name of its variable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from learners.data.scales import PLAIN, Scale
from learners.settings.learner import Learner

from .text import count, shorten

MOST = 12  # variables told of in a sentence

POLICIES = {
    "available": "use for each test the rows that have its columns",
    "drop": "leave the row out",
    "category": "make missing a level of its own",
    "mode": "fill in the most frequent level (the median of numbers)",
}


def with_unit(name: str, scales: Mapping[str, Scale], text: Callable[[str], str] = shorten) -> str:
    """The name as `text` has it, and what a number of the data is, if that needs saying: pay (normal score)."""
    unit = scales.get(name, PLAIN).of_data
    return f"{text(name)} ({text(unit)})" if unit else text(name)


def units_sentence(names: Iterable[str], scales: Mapping[str, Scale]) -> str:
    """The units of the numbers of the data, of the variables where they need saying."""
    told = [f"{shorten(name)}: {unit}" for name in names if (unit := scales.get(name, PLAIN).of_data)]
    more = f"; and {count(len(told) - MOST, 'more', 'more')}" if len(told) > MOST else ""
    return f"Units: {'; '.join(told[:MOST])}{more}." if told else ""


def with_labels(sentence: str, learner: Learner) -> str:
    """A sentence of the library with the labels of the form in place of names such as ``max_cond_size``."""
    labels = {one.name: one.label for one in learner.parameters if "_" in one.name}
    if not labels:
        return sentence
    return re.sub(rf"\b({'|'.join(labels)})\b", lambda match: f"“{labels[match[0]]}”", sentence)
