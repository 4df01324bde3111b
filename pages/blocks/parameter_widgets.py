"""Widgets for the parameters of a learner, on the Learn page and in the settings of a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from learners.common.wording import format_setting
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter
from pages.session.words import labels_of, t
from viz.labels import without_value
from viz.text import escape_markdown

CHOICE = r"[^\d(,;]{1,30}"  # pattern of a choice that a source names before a colon
MAX_ROW_LENGTH = 20  # maximum total length in characters of choices in one row of half the form
OWN_KEY = {("mixed",): "_mixed", ("continuous", "mixed"): "_numbers"}  # suffix of the key by column types


def key_of(one: Parameter, learner: Learner, page: str = "learn") -> str:
    """Return the session key of a setting; settings of the same name for other column types have other keys."""
    shared = sum(other.name == one.name for other in learner.parameters) > 1
    of_kinds = "_continuous" if shared and one.kinds == ("continuous",) else OWN_KEY.get(one.kinds, "")
    return f"{page}_{learner.key}_{one.name}{of_kinds}"


def widget(
    one: Parameter,
    learner: Learner,
    place: Any,
    start: Any,
    names: Sequence[str],
    *,
    idle: bool,
    by_hand: bool,
    page: str = "learn",
) -> Any:
    """Return the value of a parameter from a widget of a suitable kind.

    `idle` is True if another setting rules the parameter out; `by_hand` is True if an optional number is set initially.
    """
    key, help_text = key_of(one, learner, page), _help(one, learner)
    common = {"key": key, "help": help_text, "persist_state": "session", "disabled": idle}
    label = t(one.label) + (f" ({t(one.unit)})" if one.unit else "")
    if one.column:
        return place.selectbox(label, names, names.index(start) if start in names else 0, **common)
    if one.choices:
        common["format_func"] = labels_of({choice: one.word(choice) for choice in one.choices})
        if sum(len(one.word(choice)) for choice in one.choices) > MAX_ROW_LENGTH:
            return place.selectbox(label, one.choices, one.choices.index(start), **common)
        return place.segmented_control(label, one.choices, default=start, required=True, **common)
    if isinstance(one.default, bool):
        return place.toggle(label, start, **common)
    limited = f"{page}_{learner.key}_{one.name}_limited"
    if one.optional and not _set_by_hand(one, limited, help_text, place, idle=idle, by_hand=by_hand):
        return None
    if one.steps:
        nearest = min(one.steps, key=lambda step: abs(step - start))
        return place.select_slider(label, one.steps, nearest, format_func=format_setting, **common)
    if isinstance(one.example, int):
        return place.number_input(label, int(one.low), int(one.high), start, **common)
    return place.number_input(
        label,
        float(one.low),
        float(one.high),
        float(start),
        step=one.example / 5 or 0.05,
        format="%.6g",
        **common,
    )


def _set_by_hand(one: Parameter, key: str, help_text: str, place: Any, *, idle: bool, by_hand: bool) -> bool:
    """Return True if an optional number is set, instead of no limit or an automatic value."""
    common = {"key": key, "persist_state": "session", "disabled": idle}
    if one.default is None and not one.switch:
        return not place.toggle(f"{t(one.label)}: {t(one.word(None))}", not by_hand, help=help_text, **common)
    label = t(one.switch) if one.switch else t("{label}: set a limit", label=t(one.label))
    return place.toggle(label, by_hand, **common)


def _help(one: Parameter, learner: Learner) -> str:
    parts = [t(one.help)]
    parts += [t("Higher: {effect}.", effect=t(one.up))] if one.up else []
    parts += [t("Lower: {effect}.", effect=t(one.down))] if one.down else []
    parts += [t("Only used with {condition}.", condition=_condition(one, learner))] if one.only_if else []
    return escape_markdown(" ".join([*parts, default_sentence(_default(one), t(one.source), t)]))


def default_sentence(value: str, source: str, t: Callable[..., str]) -> str:
    """Write the default of a parameter and its source, which may have a part for each choice: "BIC: Schwarz (1978)".

    The value is not repeated, and a source of a choice stands in brackets, so that it is no further option.
    """
    reason = without_value(value, source)
    first, labelled, _ = reason.partition(": ")
    is_for_choices = source.startswith(reason) and labelled and re.fullmatch(CHOICE, first)
    if is_for_choices and first != t("our choice"):
        parts = (part.partition(": ") for part in reason.split("; "))
        sources = "; ".join(f"{choice} ({why})" if why else choice for choice, _, why in parts)
        return t("Default: {value}. Sources: {sources}.", value=value, sources=sources)
    return t("Default: {value} ({source}).", value=value, source=reason)


def _default(parameter: Parameter) -> str:
    if parameter.choices or parameter.default is None or isinstance(parameter.default, bool):
        return t(parameter.word(parameter.default))
    if isinstance(parameter.default, float):
        return format_setting(parameter.default)
    if isinstance(parameter.default, int):
        return t("{n}", n=parameter.default)
    return str(parameter.default) or t("automatic")


def _condition(parameter: Parameter, learner: Learner) -> str:
    """Return the setting that activates a parameter, in the words of the form."""
    name, value = parameter.only_if
    # A learner may have several parameters of that name, one for each column type.
    named = [other for other in learner.parameters if other.name == name]
    other = next((other for other in named if not other.choices or value in other.choices), named[0])
    return f"{t(other.label)}: {t(other.word(value))}"
