"""Labels on screen: units of variables, settings of a run with their values, and options for missing values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from learners.common.sentences import Phrase, Setting, say
from learners.common.wording import format_setting
from learners.data.dataset import Dataset
from learners.data.plan.scales import PLAIN, Scale
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter

from .text import count, shorten

MAX_UNITS = 12  # maximum number of variables listed in a sentence

POLICIES = {
    "available": "leave the cell empty; the learner handles it",
    "drop": "remove the row",
    "category": "treat missing as a level",
    "mode": "impute the most frequent level (or the median)",
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
    if isinstance(sentence, Phrase):
        values = sentence.sentence.values
        shown = {
            name: say("“{label}”", label=say(labels[value.name]))
            for name, value in values.items()
            if isinstance(value, Setting) and value.name in labels
        }
        return Phrase(replace(sentence.sentence, values={**values, **shown}), sentence.names) if shown else sentence
    if not labels:
        return sentence
    return re.sub(rf"\b({'|'.join(labels)})\b", lambda match: f"“{labels[match[0]]}”", sentence)


def setting_text(one: Parameter, value: Any) -> str:
    """Write a value of a parameter for a reader."""
    if value is None or one.choices or isinstance(value, bool):
        return one.word(value)
    if value == "" and one.column:
        return "the first column"
    text = format_setting(value) if isinstance(value, float) else str(value)
    return f"{text} {one.unit}".strip()


def without_value(value: str, source: str) -> str:
    """Return the source of a default without the default itself, which is shown beside it."""
    choice, colon, reason = source.removesuffix(".").partition(": ")
    if colon and value.casefold().startswith(choice.casefold()):
        return reason
    return re.sub(rf"^{re.escape(value)} (in |bei |is |ist |(?=as |wie ))", "", source.removesuffix("."))


def within_sentence(label: str) -> str:
    """Return an English label as it is written within a sentence; names such as BDeu keep their capitals."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def parameter_of(learner: Learner, name: str, values: Sequence[Any], dataset: Dataset | None) -> Parameter:
    """Return the declaration of a parameter; if each column type has its own, the one that allows the values."""
    asked = [one for one in learner.parameters if one.name == name]
    fits = [one for one in asked if not one.choices or {*values} <= {*one.choices, None}]
    return next((one for one in fits if dataset is None or dataset.kind in one.kinds), asked[0])


def parameter_texts(result: LearnResult, dataset: Dataset | None) -> list[tuple[str, str]]:
    """Return label and value of each parameter of a run."""
    learner = LEARNERS[result.method]
    found = ((parameter_of(learner, name, (value,), dataset), value) for name, value in result.params.items())
    return [(one.label, setting_text(one, value)) for one, value in found]
