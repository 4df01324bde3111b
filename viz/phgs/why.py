"""From which level to which a pair is joined, and which way it points on the path."""

from __future__ import annotations

import math
from dataclasses import replace

from learners.common.wording import all_items
from learners.phgs.alpha_steps import AlphaSteps, path_of
from learners.results.result import LearnResult

from ..constraint_based.why import why_by_tests
from ..graph_data import mark_of
from ..hybrid.why import why_by_search
from ..pair import Pair, Story
from ..text import count, format_p, format_set, shorten
from .words import Solutions, format_alpha

WORDS = {"undirected": "direction open", "conflict": "conflicting evidence", "none": "not there"}


def why_path(pair: Pair) -> Story:
    """The story of PATH: its tests, and the levels at which the pair is joined."""
    return _with_alpha(pair, why_by_tests(pair))


def why_search(pair: Pair) -> Story:
    """The same of pHGS, with its search."""
    return _with_alpha(pair, why_by_search(pair))


def _with_alpha(pair: Pair, story: Story) -> Story:
    return replace(story, sentences=[*story.sentences, why_alpha(pair.result, pair.x, pair.y)])


def why_alpha(result: LearnResult, x: int, y: int) -> str:
    """Φ, S, and the levels at which the pair is joined, in one sentence."""
    evidence = path_of(result)
    log_phi, cond = float(evidence.log_phi[x, y]), evidence.hardest.between(x, y)
    if math.isnan(log_phi) or cond is None:
        return "No test was done for this pair, so no level of alpha changes whether it is joined."
    alpha = result.params["alpha"]
    phi = f"Φ = {format_p(log_phi)}, the largest p of its tests (given {format_set(cond, result.names)})"
    if log_phi > math.log(alpha):
        return f"{phi}: above {alpha:g}, the level of the run, so it is joined at no level from there down."
    log_chosen = float(evidence.path.log_alphas[evidence.path.choice])
    chosen = f"so {'no longer' if log_phi > log_chosen else 'also'} at the chosen {format_alpha(log_chosen)}"
    return f"{phi}: joined at every alpha from {alpha:g} down to that, {chosen}."


def why_along(result: LearnResult, steps: AlphaSteps, solutions: Solutions, x: int, y: int) -> str:
    """How the pair looks in each solution, stretch by stretch."""
    i, j = min(x, y), max(x, y)
    pairs = steps.graphs.pairs
    at = ((pairs[:, 0] == i) & (pairs[:, 1] == j)).nonzero()[0]
    n = count(len(steps), "solution")
    if not len(at):
        return f"Of the {n} of the path, none has it."
    marks = [mark_of(int(steps.codes(step)[at[0]])) for step in range(len(steps))]
    a, b = shorten(result.names[i]), shorten(result.names[j])
    words = WORDS | {"forward": f"{a} → {b}", "backward": f"{b} → {a}"}
    if len(set(marks)) == 1:
        return f"In {all_items(len(steps), 'solution')} of the path: {words[marks[0]]}."
    ends = [k for k in range(len(marks)) if k + 1 == len(marks) or marks[k + 1] != marks[k]]
    begins = [0, *(k + 1 for k in ends[:-1])]
    told = [f"{words[marks[first]]} in {_which(first, last)}" for first, last in zip(begins, ends, strict=True)]
    initial = "initial " if solutions.begin_search else ""
    return f"Along the {n} of the path, the {initial}graphs at ever stricter levels: {'; '.join(told)}."


def _which(first: int, last: int) -> str:
    return f"solution {first + 1}" if first == last else f"solutions {first + 1} to {last + 1}"
