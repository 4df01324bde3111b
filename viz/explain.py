"""Why is this edge (not) here? Sentences and evidence, from the trace alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from learners.data.dataset import Dataset
from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.rules import CUTS, INFORMATION, Rule

from .cimap.why import format_statistic, format_threshold
from .constraint_based.words import cut_of
from .direction_support import direction_sentences
from .few_rows import few_rows_sentences
from .kinds import kind_of
from .pair import Pair
from .phases import phase_name
from .text import ARROWS, format_number, format_p, format_set, shorten

LEAST_BITS = 0.0001  # below, chance adds as much in a million rows


@dataclass(frozen=True)
class Explanation:
    """The story of one pair in one run. All text is plain, not markup.

    Attributes
    ----------
    headline : str
        "smoke — bronc is kept."
    sentences : tuple of str
        Why, in reading order.
    decisive : Event or None
        The test that settled whether the pair is joined.
    tests : tuple of Event
        One a level, the hardest to reject first; at most `MOST_TESTS`.
    interval : (int, int)
        Scrubber steps ``first <= step < last`` at which the pair is joined.
    """

    headline: str
    sentences: tuple[str, ...]
    decisive: Event | None
    tests: tuple[Event, ...]
    interval: tuple[int, int]


def explain(result: LearnResult, x: int, y: int, dataset: Dataset | None = None) -> Explanation:
    """Tell why x and y are joined, or not, in `result`; its `dataset` tells which of them a set determines."""
    kind, pair = kind_of(result), Pair(result, x, y, tuple(result.trace.of_pair(x, y)), dataset)
    story = kind.why(pair)
    few = [one for one in few_rows_sentences(result, x, y, pair.events) if one not in story.sentences]
    sentences = (*story.sentences, *few, *_shared(result, x, y), *direction_sentences(result, x, y))
    return Explanation(_headline(pair), sentences, story.decisive, story.tests, kind.interval(result, x, y))


def _shared(result: LearnResult, x: int, y: int) -> list[str]:
    """How much the two tell of one another, if anybody can say: the one strength that all kinds of columns have."""
    bits = result.information(x, y)
    if math.isnan(bits):
        return []
    amount = (
        f"{bits:.3g} bits" if bits >= LEAST_BITS else f"less than {LEAST_BITS:g} bits" if bits else "no information"
    )
    return [f"Whatever else is known, the two share {amount} a row."]


def _headline(pair: Pair) -> str:
    x, y = shorten(pair.names[pair.x]), shorten(pair.names[pair.y])
    return f"{x} {ARROWS[pair.mark]} {y} is kept." if pair.mark != "none" else f"{x} and {y} are not joined."


def evidence_table(explanation: Explanation, names: Sequence[str]) -> pd.DataFrame:
    """The tests of an explanation, one row a level, the largest p first."""
    return pd.DataFrame(
        [
            {
                "level": phase_name(e.phase),
                "largest p, given": format_set(e.cond, names),
                "statistic": format_statistic(e),
                "dof": format_number(e.dof),
                "p": format_p(e.log_p),
                "alpha": _threshold(e),
                "verdict": _verdict(e),
                "tests": e.n_tests,
                "rows": e.n_rows,
            }
            for e in explanation.tests
        ],
        columns=["p", "verdict", "largest p, given", "level", "tests", "rows", "statistic", "dof", "alpha"],
    )


def _threshold(event: Event) -> str:
    if event.rule in INFORMATION:
        return format_threshold(event)
    return cut_of(event) if event.rule in CUTS else f"{event.threshold:g}"


def _verdict(event: Event) -> str:
    if event.rule is Rule.UNTESTED:
        return "not tested"
    if event.dof == 0:
        return "nothing to see"
    refused = event.action == Action.REFUSE and (event.p_value > event.threshold or event.rule is Rule.CHECKED_CUT)
    return "independent" if refused or event.action in (Action.REMOVE, Action.APART) else "dependent"
