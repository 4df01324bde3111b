"""Labels on screen: units of variables, names of settings, and options for missing values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from learners.data.plan.scales import PLAIN, Scale
from learners.settings.learner import Learner

from .text import count, shorten

MAX_UNITS = 12  # maximum number of variables listed in a sentence

POLICIES = {
    "available": "learners complete the cell",
    "drop": "remove the row",
    "category": "treat missing as a level",
    "mode": "fill in the most frequent level (or the median)",
}


def with_unit(name: str, scales: Mapping[str, Scale], text: Callable[[str], str] = shorten) -> str:
    """Return a name with the unit of its numbers, if they are converted: pay (normal score)."""
    unit = scales.get(name, PLAIN).of_data
    return f"{text(name)} ({text(unit)})" if unit else text(name)


def units_sentence(names: Iterable[str], scales: Mapping[str, Scale]) -> str:
    """Return a sentence with the units of all variables whose numbers are not plain, or ""."""
    units = [f"{shorten(name)}: {unit}" for name in names if (unit := scales.get(name, PLAIN).of_data)]
    more = f"; and {count(len(units) - MAX_UNITS, 'more', 'more')}" if len(units) > MAX_UNITS else ""
    return f"Units: {'; '.join(units[:MAX_UNITS])}{more}." if units else ""


def with_labels(sentence: str, learner: Learner) -> str:
    """Replace parameter names such as ``max_cond_size`` in a sentence of the library with the labels of the form."""
    labels = {one.name: one.label for one in learner.parameters if "_" in one.name}
    if not labels:
        return sentence
    return re.sub(rf"\b({'|'.join(labels)})\b", lambda match: f"“{labels[match[0]]}”", sentence)
