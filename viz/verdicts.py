"""Verdict on the arrows of a run: a sentence for each check and a table of the arrows."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from learners.common.sentences import Phrase, phrase
from learners.explaining.support import determination, directed_graph, direction_of, is_determined
from learners.results.directions import Support
from learners.results.result import LearnResult
from learners.verdict.assumptions import Assumptions
from learners.verdict.trust import DEFAULT_SHARE, SURE, Reliability, Trust, probability_text

from .graph_data import EdgeData, GraphViewData, nodes
from .text import as_sentence, count, distinct_labels, shorten
from .weak_evidence import no_direction

KIND_WORDS = {"continuous": "numbers", "categorical": "categories", "mixed": "numbers and categories"}
CAUSES, NO_CAUSE, ADJACENT = "P(x causes y, directly or not)", "P(y does not cause x)", "P(adjacent)"
DEFINITIONS = (
    "x → y is the arrow. P(adjacent): no set of other columns separates the two. P(x causes y) also counts "
    "causes through others, so it may be larger. P(y does not cause x) is calibrated separately and is never below "
    "P(x causes y)."
)
MEANINGS = (
    "Identified: a cause in nearly all resamples, by each method. By experience: such claims were mostly right on "
    "simulated tables. Undecided: chance, a hidden common cause or the opposite direction may explain the arrow."
)


def headline(found: Trust, result: LearnResult) -> str:
    """Return the conclusion in one sentence."""
    return as_sentence(found.sentences(result)[0])


def details(found: Trust, result: LearnResult) -> list[str]:
    """Return the sentences after the conclusion."""
    return [as_sentence(sentence) for sentence in found.sentences(result)[1:]]


def below_warnings(found: Assumptions, names: tuple[str, ...]) -> list[str]:
    """Return the part of `gates` that the warnings above do not show yet."""
    if not found.sentences(names):
        return gates(found, names)
    above = "The warnings above say what the checks found."
    return [above, as_sentence(found.hidden_unchecked)] if found.unread else [above]


def gates(found: Assumptions, names: tuple[str, ...]) -> list[str]:
    """Return the findings of the checks of the table and what was not checked, or that no check found a violation."""
    sentences = [as_sentence(sentence) for sentence in found.sentences(names)]
    if found.unread:
        return [*sentences, as_sentence(found.hidden_unchecked)]
    return sentences or ["No check found a violated assumption."]


def arrow_table(found: Trust, result: LearnResult) -> pd.DataFrame:
    """Return a row for each arrow, the most probable first: P(cause), P(no cause back), P(adjacent), verdict.

    A probability is NaN if it was not computed.
    """
    arrows = [] if found.silent else directed_graph(result).directed_edges()
    arrows = sorted(arrows, key=lambda arrow: (-found.cause[arrow], arrow))
    return pd.DataFrame(
        {
            "arrow": [f"{shorten(found.names[i])} → {shorten(found.names[j])}" for i, j in arrows],
            CAUSES: [found.cause[i, j] or math.nan for i, j in arrows],
            NO_CAUSE: [found.no_cause_back(i, j) for i, j in arrows],
            ADJACENT: [found.adjacent[i, j] for i, j in arrows],
            "verdict": [found.verdict(i, j) for i, j in arrows],
        }
    )


def beside_support(found: Trust | None, result: LearnResult, i: int, j: int) -> list[Phrase]:
    """Return the verdict on an edge, to show beside the strong support of its direction; empty without a verdict."""
    mark = result.graph.mark(i, j)
    direction = direction_of(result, i, j, mark)
    if found is None or direction is None or direction.support is not Support.CLEAR:
        return []
    arrow = (i, j) if mark == "forward" else (j, i)
    return found.beside_support(*arrow, result.rows.n if result.rows else 0, odds=direction.share is None)


UNJUDGED = 0.2  # opacity of an edge whose pair was not judged

SUPPORT_MEANS = (
    "Values are shares of the bootstrap samples; for order MCMC, posterior probabilities. BOSS and order MCMC assume "
    "that no common cause is hidden. The others draw an arrow only where, by their tests or scores, no hidden common "
    "cause explains the edge. An arrowhead at a variable says that it does not cause the other."
)


def support_table(found: Trust, i: int, j: int) -> pd.DataFrame:
    """Return a row for each method: how often it finds i → j, j → i, an arrowhead at either end, and an edge."""
    a, b = distinct_labels([found.names[i], found.names[j]])
    rows = [
        (name, one.arrow[i, j], one.arrow[j, i], one.head[i, j], one.head[j, i], one.adjacent[i, j])
        for name, one in found.support.items()
    ]
    columns = ("method", f"{a} → {b}", f"{b} → {a}", f"arrowhead at {b}", f"arrowhead at {a}", "adjacent")
    return pd.DataFrame(rows, columns=list(columns))


def other_causes(found: Trust, result: LearnResult) -> str:
    """State the number of causes with P >= 0.9 that are not arrows of the graph; empty if there are none."""
    arrows = set(directed_graph(result).directed_edges())
    n = 0 if found.silent else sum((i, j) not in arrows for i, j in zip(*(found.cause >= SURE).nonzero(), strict=True))
    return f"{count(n, 'more cause')} of P ≥ {SURE} {'is' if n == 1 else 'are'} no arrow of this graph." if n else ""


def verdict_view(found: Trust, result: LearnResult, positions: np.ndarray) -> GraphViewData:
    """Return the graph of a result; fainter arrows are less probable as causes, undecided ones are grey.

    Parameters
    ----------
    found : Trust
        A verdict that makes claims.
    result : LearnResult
    positions : (p, 2) float array
        In [0, 1].
    """
    edges = sorted({(min(pair), max(pair)) for pair in result.graph.edges()})
    return {
        "nodes": nodes(result.names, positions),
        "edges": [_judged(k, pair, found, result) for k, pair in enumerate(edges)],
        "steps": {"count": 1, "text": [""]},
        "directed": phrase("well supported as a cause"),
        "fainter": phrase("fainter line: lower P"),
        "allow_pins": False,
        "file_name": "edgewise_verdict",
    }


def _judged(k: int, pair: tuple[int, int], found: Trust, result: LearnResult) -> EdgeData:
    i, j = pair
    mark = result.graph.mark(i, j)
    edge: EdgeData = {"id": k, "a": i, "b": j, "spans": [[0, 1, mark]]}
    if is_determined(result, i, j):
        return edge | {"determined": no_direction(determination(result, i, j), result.names)}
    if math.isnan(found.adjacent[i, j]) and math.isnan(found.cause[i, j]):
        edge |= {"opacity": UNJUDGED, "opacity_text": phrase("not judged: too few rows have both")}
        return edge | ({"undecided": True} if mark in ("forward", "backward") else {})
    if mark not in ("forward", "backward"):
        p = float(found.adjacent[i, j])
        return edge | {"opacity": p, "opacity_text": phrase("adjacent with P {p}", p=probability_text(p))}
    cause, effect = pair if mark == "forward" else (j, i)
    p = float(found.cause[cause, effect])
    if found.verdict(cause, effect) != "undecided":
        return edge | {"opacity": p, "opacity_text": phrase("a cause with P {p}", p=probability_text(p))}
    text = phrase("undecided: a cause with P {p}", p=probability_text(p))
    return edge | {"undecided": True, "opacity": p, "opacity_text": text}


def well_supported(found: Trust, result: LearnResult) -> int:
    """Return the number of arrows of a result that are well supported as causes."""
    return sum(bool(found.cause[arrow] >= SURE) for arrow in result.graph.directed_edges())


def reliability_caption(known: Reliability, found: Trust) -> str:
    """Return the caption of the calibration chart of simulated tables."""
    fitted = " The shift for your field was fitted to them." if found.hidden_share != DEFAULT_SHARE else ""
    return (
        f"{known.claims.n.sum():,} claims of a cause, whatever their P, on {known.tables} simulated tables of "
        f"{KIND_WORDS[found.kind]}. "
        f"None of them was used for training.{fitted} On the dashed line, calibration is perfect."
    )
