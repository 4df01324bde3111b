"""The section of a report on the method: the learner, its paper, and each parameter with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from learners.common.sentences import Count, Listed
from learners.common.wording import format_setting
from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS
from learners.scores.selection import is_extended
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter

from ..kinds import chosen
from ..labels import setting_text
from ..language import Language
from ..text import format_seconds, with_minus
from .document import Block, Grid, Heading, Items, Section, Text
from .subject import Subject


def method_section(subject: Subject) -> Section:
    """Return learner, paper, parameters, background knowledge and effort."""
    result, learner, t = subject.result, LEARNERS[subject.result.method], subject.language.t
    about = {"paper": subject.language.citation(learner.paper), "summary": t(learner.summary)}
    blocks: list[Block] = [
        Text(t("{learner}, {family}: {paper}. {summary}", learner=t(learner.label), family=t(learner.family), **about)),
        Text(t("Choose it if {choose_if}.", choose_if=t(learner.choose_if))),
        Text(_effort(subject)),
    ]
    if not result.complete:
        blocks.append(Text(t("The run was stopped early; this is its partial result.")))
    if result.params:
        blocks += [Heading(t("Parameters")), _parameters(learner, subject)]
    if subject.knowledge:
        known = known_sentences(subject.knowledge, subject.language)
        blocks += [Heading(t("Background knowledge")), Items(tuple(known))]
    return Section(t("The method"), tuple(blocks))


def _effort(subject: Subject) -> str:
    result, t = subject.result, subject.language.t
    spent = [Count(result.n_tests, "test")] if result.n_tests or not result.n_scores else []
    spent += [Count(result.n_scores, "local score")] if result.n_scores else []
    seconds = format_seconds(result.seconds)
    sentences = [t("The run took {effort} and {time}.", effort=Listed(spent, " and "), time=seconds)]
    if result.score is not None:
        sentences.append(
            t("Score of the graph: {score}.", score=subject.language.separated(with_minus(f"{result.score:,.2f}")))
        )
    if (sentence := chosen(result)) is not None:
        sentences.append(subject.language.written(sentence))
    if result.rows_used:
        low, high = result.rows_used
        sentences.append(t("Each test used between {low} and {high} rows.", low=low, high=high))
    return " ".join(sentences)


def _parameters(learner: Learner, subject: Subject) -> Grid:
    params = subject.result.params
    asked = [one for one in learner.parameters_for(subject.dataset.kind) if one.name in params]
    language = subject.language
    rows = tuple(
        (language.t(one.label), _used(one, subject), why(one, params, asked, language, _used_word(one, subject)))
        for one in asked
    )
    return Grid(tuple(map(language.t, ("parameter", "value", "source and effect"))), rows)


def is_automatic(one: Parameter, params: Mapping[str, Any]) -> bool:
    """Return True if the run chose the score by the number of variables."""
    return one.name == "score" and params[one.name] == "auto"


def part_of_source(source: str, word: str) -> str:
    """Return the part of a source on the choice with this word; empty if there is none."""
    parts = [part.partition(": ") for part in source.split("; ")]
    return next((reason for choice, _, reason in parts if choice.casefold() == word.casefold()), "")


def _used_word(one: Parameter, subject: Subject) -> str:
    """Return the word of the choice that the run used in the end."""
    if is_automatic(one, subject.result.params):
        return one.word("ebic" if is_extended("auto", len(subject.result.names)) else "bic")
    return one.word(subject.result.params[one.name]) if one.choices else ""


def _used(one: Parameter, subject: Subject) -> str:
    """Write the value of a parameter; of an automatic score, also the score that the run used."""
    value, language = setting(one, subject.result.params[one.name], subject.language), subject.language
    if not is_automatic(one, subject.result.params):
        return value
    return language.t("{choice}: {used} was used", choice=value, used=language.t(_used_word(one, subject)))


def setting(one: Parameter, value: Any, language: Language) -> str:
    """Write a value of a parameter in a language."""
    return language.written(setting_text(one, value))


def why(
    one: Parameter, params: Mapping[str, Any], others: Sequence[Parameter], language: Language, used: str = ""
) -> str:
    """Explain a parameter: its value relative to the default, the source of the default, and its effect.

    Of a source with a part for each choice, only that on the choice `used` is given.
    """
    t = language.t
    if not one.counts(params):
        name, value = one.only_if
        other = next(other for other in others if other.name == name)
        return t("Unused: it applies only with {label}: {value}.", label=t(other.label), value=t(other.word(value)))
    if params[one.name] == one.default:
        own = part_of_source(t(one.source), t(used)) if used else ""
        parts = [t("The default: {source}.", source=own or t(one.source))]
    else:
        default = setting(one, one.default, language)
        parts = [t("Set for this run; the default is {value}: {source}.", value=default, source=t(one.source))]
    parts.append(t(one.help))
    parts += [t("Higher: {effect}.", effect=t(one.up))] if one.up else []
    parts += [t("Lower: {effect}.", effect=t(one.down))] if one.down else []
    return " ".join(parts)


def known_sentences(knowledge: Knowledge, language: Language) -> list[str]:
    """Return the background knowledge, one statement per sentence."""
    t = language.t
    sentences = [t("{a} → {b} is required.", a=a, b=b) for a, b in knowledge.required]
    sentences += [t("{a} → {b} is forbidden.", a=a, b=b) for a, b in knowledge.forbidden]
    tiers: dict[float, list[str]] = {}
    for name, tier in knowledge.tiers.items():
        tiers.setdefault(tier, []).append(name)
    for tier, names in sorted(tiers.items()):
        sentences.append(t("Tier {tier}: {names}.", tier=format_setting(tier), names=", ".join(names)))
    return [*sentences, t("No edge leads from a later tier to an earlier one.")] if tiers else sentences
