"""Thresholds, solutions and Φ in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learners.common.sentences import NOTHING, Count, Listed, Phrase, Sentence, only_if, phrase, say
from learners.common.wording import format_level as format_level
from learners.common.wording import format_setting
from learners.families.phgs.alpha_steps import AlphaSteps, path_of
from learners.results.result import LearnResult
from learners.scores.selection import is_extended

from ..graph_data import mark_of
from ..kind_contract import SliderModes
from ..text import shorten, with_minus

MAX_NAMED = 3  # maximum number of named edges with the same Φ
MARKS = {"undirected": "direction open", "conflict": "conflicting evidence", "none": "absent"}
PATH_HELP = (
    "Solution path: the scored graphs, one per step. alpha: the graph at each significance level up to that of the "
    "run. "
    "Run: test by test."
)


@dataclass(frozen=True)
class Solutions:
    """Words for the solutions of a path.

    Attributes
    ----------
    what : str
    choice : str
        Label of the chosen solution, for the slider.
    begin_search : bool
        True if the solutions are DAGs and a search starts from the chosen one.
    """

    what: str
    choice: str
    begin_search: bool


CPDAGS = Solutions("a graph", "Final graph", begin_search=False)
STARTS = Solutions("a greedily oriented DAG", "Start of the search", begin_search=True)


def path_modes(default: str) -> SliderModes:
    """Return the slider modes of a path: its solutions, alpha, or the run."""
    return SliderModes({"solutions": "Solution path", "free": "alpha", "run": "Steps of the run"}, default, PATH_HELP)


def score_name(result: LearnResult) -> str:
    """Return the name of the score of the solutions."""
    score = result.params.get("score")
    if score == "bdeu":
        return "BDeu" if result.params.get("edge_penalty", 0.0) == 0.0 else "BDeu with edge penalty"
    if score == "ranks":
        return "BIC of ranks"
    if score == "basis":
        return "BIC of basis functions"
    return "extended BIC" if score in ("auto", "ebic") and is_extended(score, len(result.names)) else "BIC"


def format_score(value: float) -> str:
    """Format a network score: −12,345.6."""
    return with_minus(f"{value:,.1f}")


def solution_sentences(result: LearnResult, solutions: Solutions) -> list[Phrase]:
    """Return a sentence for each solution: its level, its score, and whether it was chosen."""
    path, name = path_of(result).path, say(score_name(result))
    sentences = []
    for step, log_alpha in enumerate(path.log_alphas.tolist()):
        score = format_score(float(path.scores[step]))
        words = [say("alpha = {alpha}", alpha=format_level(log_alpha)), say("{name} {score}", name=name, score=score)]
        if not path.valid[step]:
            words.append(say("not a candidate, because no DAG fits its arrows"))
        if step == path.choice:
            words.append(say("chosen: the search begins here") if solutions.begin_search else say("chosen"))
        sentences.append(phrase("{parts}", parts=Listed(words)))
    return sentences


def alpha_sentences(result: LearnResult, steps: AlphaSteps) -> list[Phrase]:
    """Return a sentence for each step of alpha: the removed edges, and the solutions at this level."""
    path = path_of(result).path
    at = [steps.step_of(log_alpha) for log_alpha in path.log_alphas.tolist()]
    sentences = []
    for step in range(len(steps)):
        own = [t + 1 for t, place in enumerate(at) if place == step]
        level = (
            say("alpha below {level}", level=format_level(float(steps.log_alphas[step - 1])))
            if step
            else say("alpha = {alpha}", alpha=format_setting(result.params["alpha"]))
        )
        where = only_if(own, say(", {solutions}", solutions=_numbers(own, path.choice + 1)))
        what = _leaving(result.names, steps, step) if step else say("the level of the run, no edge removed yet")
        sentences.append(phrase("{level}{where}: {what}", level=level, where=where, what=what))
    return sentences


def _leaving(names: Sequence[str], steps: AlphaSteps, step: int) -> Sentence:
    gone = steps.graphs.pairs[steps.log_phi == steps.log_alphas[step - 1]]
    edges = ", ".join(f"{shorten(names[i])} — {shorten(names[j])}" for i, j in gone[:MAX_NAMED].tolist())
    if len(gone) > MAX_NAMED:
        return say("{edges} and {more} more removed", edges=edges, more=len(gone) - MAX_NAMED)
    return say("{edges} removed", edges=edges)


def _numbers(solutions: Sequence[int], chosen: int) -> Sentence:
    """Return a clause with solution numbers, such as "solution 3" or "solutions 3 to 5 (4 is chosen)"."""
    if not solutions:
        return NOTHING
    first, last = solutions[0], solutions[-1]
    if first == last:
        return (
            say("solution {first} (chosen)", first=first) if chosen == first else say("solution {first}", first=first)
        )
    if chosen in solutions:
        return say("solutions {first} to {last} ({chosen} is chosen)", first=first, last=last, chosen=chosen)
    return say("solutions {first} to {last}", first=first, last=last)


def why_along(result: LearnResult, steps: AlphaSteps, solutions: Solutions, x: int, y: int) -> Phrase:
    """Return a sentence on the edge of a pair in the solutions, interval by interval."""
    i, j = min(x, y), max(x, y)
    pairs = steps.graphs.pairs
    at = ((pairs[:, 0] == i) & (pairs[:, 1] == j)).nonzero()[0]
    n = Count(len(steps), "solution")
    if not len(at):
        return phrase("None of the {solutions} of the path has this edge.", solutions=n)
    marks = [mark_of(int(steps.codes(step)[at[0]])) for step in range(len(steps))]
    a, b = shorten(result.names[i]), shorten(result.names[j])
    words = {mark: say(text) for mark, text in MARKS.items()}
    words |= {"forward": say("{a} → {b}", a=a, b=b), "backward": say("{a} → {b}", a=b, b=a)}
    if len(set(marks)) == 1:
        mark = words[marks[0]]
        if len(steps) == 1:
            return phrase("In the only solution of the path: {mark}.", mark=mark)
        if len(steps) == 2:
            return phrase("In both solutions of the path: {mark}.", mark=mark)
        return phrase("In all {solutions} of the path: {mark}.", solutions=n, mark=mark)
    ends = [k for k in range(len(marks)) if k + 1 == len(marks) or marks[k + 1] != marks[k]]
    begins = [0, *(k + 1 for k in ends[:-1])]
    parts = [
        say("{mark} in {solutions}", mark=words[marks[first]], solutions=_numbers(range(first + 1, last + 2), 0))
        for first, last in zip(begins, ends, strict=True)
    ]
    template = (
        "Along the {solutions} of the path, the initial graphs at stricter and stricter levels: {parts}."
        if solutions.begin_search
        else "Along the {solutions} of the path, the graphs at stricter and stricter levels: {parts}."
    )
    return phrase(template, solutions=n, parts=Listed(parts, "; "))
