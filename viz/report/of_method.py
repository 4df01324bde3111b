"""The section of a report on the method: the learner, its paper, and each parameter with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter

from ..labels import setting_text
from ..text import count, format_seconds
from .document import Block, Grid, Heading, Items, Section, Text
from .subject import Subject


def method_section(subject: Subject) -> Section:
    """Return learner, paper, parameters, background knowledge and effort."""
    result, learner = subject.result, LEARNERS[subject.result.method]
    blocks: list[Block] = [
        Text(f"{learner.label}, {learner.family}: {learner.paper}. {learner.summary}"),
        Text(f"Choose it if {learner.choose_if}."),
        Text(_effort(subject)),
    ]
    if not result.complete:
        blocks.append(Text("The run was stopped early; this is its partial result."))
    if result.params:
        blocks += [Heading("Parameters"), _parameters(learner, subject)]
    if subject.knowledge:
        blocks += [Heading("Background knowledge"), Items(tuple(known_sentences(subject.knowledge)))]
    return Section("The method", tuple(blocks))


def _effort(subject: Subject) -> str:
    result = subject.result
    spent = [count(result.n_tests, "test")] if result.n_tests or not result.n_scores else []
    spent += [count(result.n_scores, "local score")] if result.n_scores else []
    rows = result.rows_used
    of_tests = f" Each test used between {rows[0]:,} and {rows[1]:,} rows." if rows else ""
    score = "" if result.score is None else f" Score of the graph: {result.score:,.2f}."
    return f"The run took {' and '.join(spent)} and {format_seconds(result.seconds)}.{score}{of_tests}"


def _parameters(learner: Learner, subject: Subject) -> Grid:
    params = subject.result.params
    asked = [one for one in learner.parameters_for(subject.dataset.kind) if one.name in params]
    rows = tuple((one.label, setting_text(one, params[one.name]), why(one, params, asked)) for one in asked)
    return Grid(("parameter", "value", "source and effect"), rows)


def why(one: Parameter, params: Mapping[str, Any], others: Sequence[Parameter]) -> str:
    """Explain a parameter: its value relative to the default, the source of the default, and its effect."""
    if not one.counts(params):
        name, value = one.only_if
        other = next(other for other in others if other.name == name)
        return f"Unused: it applies only with {other.label}: {other.word(value)}."
    is_default = params[one.name] == one.default
    lead = "The default" if is_default else f"Set for this run; the default is {setting_text(one, one.default)}"
    parts = [f"{lead}: {one.source}.", one.help]
    parts += [f"Higher: {one.up}."] if one.up else []
    parts += [f"Lower: {one.down}."] if one.down else []
    return " ".join(parts)


def known_sentences(knowledge: Knowledge) -> list[str]:
    """Return the background knowledge, one statement per sentence."""
    sentences = [f"{a} → {b} is required." for a, b in knowledge.required]
    sentences += [f"{a} → {b} is forbidden." for a, b in knowledge.forbidden]
    tiers: dict[float, list[str]] = {}
    for name, tier in knowledge.tiers.items():
        tiers.setdefault(tier, []).append(name)
    sentences += [f"Tier {tier:g}: {', '.join(names)}." for tier, names in sorted(tiers.items())]
    return [*sentences, "No edge leads from a later tier to an earlier one."] if tiers else sentences
