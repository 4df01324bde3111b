"""Statements on an effect: its number or 0, under the directions that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from learners.common.sentences import Edge, Listed, Phrase, phrase
from learners.data.plan.scales import Scale
from learners.effects.estimates import Effect
from learners.graphs.graph import PDAG, ancestors
from learners.results.result import LearnResult
from learners.verdict.trust import SURE, UNLIKELY, Trust

from ..text import shorten
from ..weak_evidence import unsupported
from .words import MAX_NAMED_ARROWS, effect_sentence, uncertain_arrows_sentence

Arrows = Sequence[tuple[int, int]]


def resting_arrows(result: LearnResult, graph: PDAG, x: int, y: int) -> list[tuple[int, int]]:
    """Return the arrows of the result without strong support that an effect of x on y rests on.

    These are arrows at the cause, which decide for what is adjusted, and those on directed paths from it to the effect.
    An arrow between the cause and a variable that is connected with the effect only through the cause does not count.
    """
    above, near = ancestors(graph), _connected(graph, y, without=x)
    return [
        (i, j)
        for i, j in graph.directed_edges()
        if unsupported(result, i, j)
        and (
            (x in (i, j) and near[j if i == x else i])
            or ((i == x or above[x, i]) and (j == y or above[j, y]))
        )
    ]  # fmt: skip


def _connected(graph: PDAG, y: int, *, without: int) -> np.ndarray:
    """Return the (p,) mask of the nodes that a path without one node connects with y."""
    found = np.zeros(graph.p, dtype=bool)
    found[y] = True
    skeleton = graph.skeleton.copy()
    skeleton[without] = skeleton[:, without] = False
    while (grown := found | skeleton[found].any(axis=0)).sum() > found.sum():
        found = grown
    return found


def arrows_against(result: LearnResult, graph: PDAG, x: int, y: int) -> list[tuple[int, int]]:
    """Return arrows without strong support that, reversed, would open a directed path from x to y; the fewest nodes.

    Parameters
    ----------
    result : LearnResult
    graph : PDAG
        A graph without a possibly directed path from x to y.
    x, y : int
    """
    step = np.array(graph.amat)
    for i, j in graph.directed_edges():
        step[j, i] |= unsupported(result, i, j)
    before, queue = {x: x}, [x]
    for node in queue:
        for k in np.flatnonzero(step[node]).tolist():
            if k not in before:
                before[k] = node
                queue.append(k)
    found, node = [], y
    while node in before and node != x:
        if not graph.amat[before[node], node]:
            found.append((node, before[node]))
        node = before[node]
    return found[::-1]


def effect_statement(
    result: LearnResult,
    judged: Trust | None,
    graph: PDAG,
    effects: Sequence[Effect],
    x: int,
    y: int,
    names: Sequence[str],
    levels: Sequence,
    scales: Mapping[str, Scale],
) -> Phrase:
    """Return the sentence on an effect in a causal graph, under the directions that it rests on.

    Parameters
    ----------
    result : LearnResult
    judged : Trust or None
        The verdict on its arrows, if it was asked for.
    graph : PDAG
        The result, or one DAG of its class.
    effects, x, y, names, levels, scales
        See `effect_sentence`.
    """
    said = effect_sentence(effects, x, y, names, levels, scales, causal=True)
    return _under(said, resting_arrows(result, graph, x, y), judged, x, y, names)


def no_effect_statement(
    result: LearnResult, judged: Trust | None, graph: PDAG, x: int, y: int, names: Sequence[str]
) -> Phrase:
    """State that an effect is 0 in a causal graph without a directed path, under the directions that this rests on.

    Parameters
    ----------
    result, judged, graph, x, y, names
        See `effect_statement`.
    """
    said = phrase(
        "Under this assumption, the effect of {cause} on {effect} is 0: the graph has no directed path from {cause} to "
        "{effect}.",
        cause=shorten(names[x]),
        effect=shorten(names[y]),
    )
    if (arrows := arrows_against(result, graph, x, y)) or not _is_judged(judged, x, y) or judged.cause[x, y] < UNLIKELY:
        return _under(said, arrows, None, x, y, names)
    return phrase("If the graph is right: {statement}", names, statement=said.sentence)


def under_arrows_against(
    said: Phrase, result: LearnResult, graph: PDAG, x: int, y: int, names: Sequence[str]
) -> Phrase:
    """Put the weakly supported arrows before the sentence that no directed path leads from x to y.

    Parameters
    ----------
    said : Phrase
    result, graph, x, y, names
        See `effect_statement`.
    """
    return _under(said, arrows_against(result, graph, x, y), None, x, y, names)


def _under(said: Phrase, arrows: Arrows, judged: Trust | None, x: int, y: int, names: Sequence[str]) -> Phrase:
    """Put the arrows before the sentence; without arrows the cause itself, if its verdict is not clearly for it."""
    if not arrows:
        if not _is_judged(judged, x, y) or judged.cause[x, y] >= SURE:
            return said
        template = "If {a} causes {b}: {statement}"
        return phrase(template, names, a=shorten(names[x]), b=shorten(names[y]), statement=said.sentence)
    named = Listed([Edge(i, "forward", j) for i, j in arrows[:MAX_NAMED_ARROWS]], ", ", " and ")
    if len(arrows) > MAX_NAMED_ARROWS:
        named = Listed(named.parts)
        template = "If {arrows} and {n} more are right: {statement}"
        return phrase(template, names, arrows=named, n=len(arrows) - MAX_NAMED_ARROWS, statement=said.sentence)
    template = "If {arrows} is right: {statement}" if len(arrows) == 1 else "If {arrows} are right: {statement}"
    return phrase(template, names, arrows=named, statement=said.sentence)


def _is_judged(judged: Trust | None, x: int, y: int) -> bool:
    return judged is not None and not judged.silent and not np.isnan(judged.cause[x, y])


def direction_notes(
    result: LearnResult, judged: Trust | None, graph: PDAG, x: int, y: int, names: Sequence[str], *, causal: bool
) -> list[Phrase]:
    """Return a sentence on the uncertain directions that an effect rests on.

    Below a statement that names the arrows, that is only what follows if one is wrong, and nothing where the verdict on
    the pair says it.

    Parameters
    ----------
    result, judged, graph, x, y, names
        See `effect_statement`.
    causal : bool
        True below such a statement, False below an association.
    """
    arrows = resting_arrows(result, graph, x, y)
    if not causal:
        said = uncertain_arrows_sentence(arrows, names)
        return [] if said is None else [said]
    if not arrows or _is_judged(judged, x, y):
        return []
    if len(arrows) == 1:
        return [phrase("The direction of this arrow is uncertain. If it is wrong, the effect may be 0.")]
    return [
        phrase(
            "The directions of these arrows are uncertain. If one is wrong, the adjustment may be wrong, "
            "or the effect 0."
        )
    ]


def open_effect_note(effects: Sequence[Effect], x: int, y: int, names: Sequence[str]) -> Phrase | None:
    """State that the effect is 0 in some DAGs of the class, those with an arrow from effect to cause; else None."""
    zero = [y in one.given for one in effects]
    if not any(zero) or all(zero):
        return None
    template = "In DAGs with {arrow}, setting {cause} does not change {effect}."
    return phrase(
        template, names, arrow=Edge(y, "forward", x), cause=shorten(names[x]), effect=shorten(names[y])
    )  # fmt: skip
