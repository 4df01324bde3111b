"""Thresholds, solutions and Φ in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.algorithms.path import PathEvidence
from learners.algorithms.path_steps import AlphaSteps, path_of
from learners.algorithms.phgs import PartitionedHybridSearch
from learners.result import LearnResult

from ..text import count, format_p, format_set, shorten

MOST_NAMED = 2  # edges of a tie


def has_path(result: LearnResult) -> bool:
    """Whether the result holds a solution path."""
    return path_of(result) is not None


def is_search(result: LearnResult) -> bool:
    """Whether the path is that of pHGS: its solutions are DAGs, and a search follows."""
    return isinstance(result.extra, PartitionedHybridSearch)


def score_name(result: LearnResult) -> str:
    """What the solutions are scored by."""
    return "BDeu" if result.params.get("score") == "bdeu" else "BIC"


def format_score(value: float) -> str:
    """A network score: −12,345.6."""
    return f"{value:,.1f}".replace("-", "−")


def edges_in_words(codes: np.ndarray) -> str:
    """43 edges (12 directed)."""
    n, directed = int((codes > 0).sum()), int(((codes == 1) | (codes == 2)).sum())
    return f"{count(n, 'edge')} ({directed:,} directed)"


def solution_sentences(result: LearnResult, steps: AlphaSteps) -> list[str]:
    """Each solution: its level, its size, its score, and whether it was chosen."""
    path, name = path_of(result).path, score_name(result)
    said = []
    for step, log_alpha in enumerate(path.log_alphas.tolist()):
        n, directed = edges_in_words(steps.codes(step)).split(" (")
        words = [f"alpha = {format_p(log_alpha)}", f"{directed.removesuffix(')')}"]
        words.append(f"{name} {format_score(float(path.scores[step]))}")
        if not path.valid[step]:
            words.append("no DAG fits its arrows, so it cannot win")
        if step == path.choice:
            words.append("chosen: the search begins here" if is_search(result) else "chosen")
        said.append(", ".join(words))
    return said


def alpha_sentences(result: LearnResult, steps: AlphaSteps) -> list[str]:
    """Each step of the free level: which edges leave and why, and which solutions lie there."""
    evidence, names = path_of(result), result.names
    at = [steps.step_of(log_alpha) for log_alpha in evidence.path.log_alphas.tolist()]
    said = []
    for step in range(len(steps)):
        text = (
            _leaving(evidence, names, steps, step)
            if step
            else f"alpha = {result.params['alpha']:g}, the level of the run: nothing has left yet"
        )
        own = [t + 1 for t, place in enumerate(at) if place == step]
        chosen = " (chosen)" if step == steps.choice else ""
        said.append(text + (f"; {_numbers(own)} of the path{chosen}" if own else ""))
    return said


def _leaving(evidence: PathEvidence, names: Sequence[str], steps: AlphaSteps, step: int) -> str:
    log_phi = float(steps.log_alphas[step - 1])
    gone = steps.graphs.pairs[steps.log_phi == log_phi]
    edges = []
    for i, j in gone[:MOST_NAMED].tolist():
        given = format_set(evidence.hardest.between(i, j) or (), names)
        edges.append(f"{shorten(names[i])} — {shorten(names[j])} (given {given})")
    more = f" and {len(gone) - MOST_NAMED:,} more" if len(gone) > MOST_NAMED else ""
    verb, whose = ("leaves", "its") if len(gone) == 1 else ("leave", "their")
    return f"alpha below {format_p(log_phi)}: {', '.join(edges)}{more} {verb}, for that is {whose} largest p"


def _numbers(solutions: Sequence[int]) -> str:
    """Solution 3; solutions 3 to 5."""
    first, last = solutions[0], solutions[-1]
    return f"solution {first}" if first == last else f"solutions {first} to {last}"
