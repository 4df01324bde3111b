"""Recommendation of a learner for a table and a goal, based on benchmark results on similar tables."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..common.checks import check_choice, check_open_interval
from ..common.errors import DataError, LearnersError
from ..common.validation import Positive, validated
from ..data.dataset import Dataset
from ..registry import LEARNERS
from .benchmark_results import GOALS, TableShape, settings

BY = {
    "graph": "the agreement of its graph with the true one (Jaccard index)",
    "ranking": "the average precision of its ranking",
    "probabilities": "the Brier score of its probabilities",
}
DOUBLINGS_OF_COLUMNS, DOUBLINGS_OF_ROWS = 1.0, 1.5  # scale of the distance between two tables
MIN_RELATIVE_WEIGHT = 0.25  # minimum weight of a reported setting, relative to the nearest one
EXACT = "exact_posterior"
EXACT_COLUMNS = 20  # maximum number for which it is recommended; with 24 it takes half a minute
PARTNERS = 9  # number of the best learners among which the second recommendation is sought
SPARE_ESTIMATES = 3  # estimated durations beyond the number of choices; more only until a learner is quick enough


@dataclass(frozen=True)
class Choice:
    """A learner, and its score on similar tables relative to the best learner, in [0, 1]."""

    key: str
    share: float

    @property
    def label(self) -> str:
        """Name of the learner on screen."""
        return LEARNERS[self.key].label


@dataclass(frozen=True)
class Recommendation:
    """The recommended learner for a table and a goal.

    Attributes
    ----------
    goal : str
    learner : str
        Key in `LEARNERS`.
    sentence : str
        Reason for the recommendation.
    choices : tuple of Choice
        The best learners that accept the table and are quick enough, the recommended one first, then `second`.
    slow : tuple of Choice
        Learners with better results than the recommended one that would take too long here.
    second : Choice, optional
        For the goal "graph", the learner that did best where the recommended one did not. The results cannot tell which
        of the two is closer to the truth on a single table.
    """

    goal: str
    learner: str
    sentence: str
    choices: tuple[Choice, ...]
    slow: tuple[Choice, ...] = ()
    second: Choice | None = None


@validated
def recommend(
    dataset: Dataset, goal: str = "graph", *, patience: float = 120.0, n_choices: Positive = 3
) -> Recommendation:
    """Recommend the learner that was closest to the truth on similar tables and fits the data and the time.

    Parameters
    ----------
    dataset : Dataset
    goal : "graph", "ranking" or "probabilities"
        A single graph; a ranking of the pairs by strength; or the probability of each edge and arrow.
    patience : float, default 120.0
        Maximum estimated time of a run, in seconds.
    n_choices : int, default 3
        Maximum number of learners in `Recommendation.choices`.

    Returns
    -------
    Recommendation

    Raises
    ------
    ParameterError
        If the goal is unknown, or `patience` or `n_choices` is not positive.
    DataError
        If no learner with benchmark results accepts the table and is quick enough.

    Notes
    -----
    Each benchmark setting has the weight ``exp(-d² / 2)`` with d² = a² + (b / 1.5)², where a and b are the log2 ratios
    of the numbers of columns and of rows. Missing cells do not count, since learners impute them.
    The share of a learner is the weighted mean of its score relative to the best learner of each setting; a run that
    did not finish counts 0. Exact probabilities are recommended for at most 20 columns.

    On held-out tables as users bring them, the first learner alone is within 5 % of the best graph on six of ten, the
    better of it and a second one on eight of ten (``python -m benchmarks users_tables``). So two are recommended for
    the goal "graph". The second is, among the nine best, the one with the highest mean of the larger of both shares,
    over all settings of the column types. It complements the first: it can rank below others that fail where the first
    does.

    An estimate of a duration runs a few tests or scores, which take long on columns of hundreds of levels. So the
    durations of the best learners are estimated one by one, until `n_choices` are quick enough, at most
    ``n_choices + 3`` durations in all. Further learners are tried only while none is quick enough.

    Examples
    --------
    >>> from learners import load_sample
    >>> recommend(load_sample("asia").dataset, "probabilities").learner
    'exact_posterior'
    """
    check_choice("goal", goal, GOALS)
    check_open_interval("patience", patience, 0.0, math.inf)
    known = [one for one in settings() if one.kind == dataset.kind]
    weights = [_weight(one, dataset) for one in known]
    ranked = _ranked(known, weights, goal)
    if goal == "probabilities":
        ranked.sort(key=lambda one: one.key != EXACT)
    suited = dataset.p <= EXACT_COLUMNS
    taken = [one for one in ranked if LEARNERS[one.key].refusal(dataset) is None and (suited or one.key != EXACT)]
    quick = _quick(taken, dataset, patience, n_choices, known if goal == "graph" else [])
    if not quick:
        raise DataError(
            f"no learner with benchmark results takes {dataset.described} within {patience:g} s; use fewer columns"
        )
    slow = tuple(one for one in taken[: taken.index(quick[0])] if one not in quick)
    near = [one for one, weight in zip(known, weights, strict=True) if weight >= MIN_RELATIVE_WEIGHT * max(weights)]
    second = quick[1] if goal == "graph" and len(quick) > 1 else None
    sentence = _sentence(dataset, goal, quick, near) + _of_second(quick[0], second) + _of_slow(slow, patience)
    return Recommendation(goal, quick[0].key, sentence, tuple(quick), slow, second)


def _quick(
    ranked: list[Choice], dataset: Dataset, patience: float, n_choices: int, known: list[TableShape]
) -> list[Choice]:
    """Return the first learners whose estimated duration is at most `patience`; bound the number of estimates.

    If settings are given, the learner that complements the first one on them comes next.
    """
    quick: list[Choice] = []
    left = ranked.copy()
    for done in range(len(ranked)):
        if len(quick) == n_choices or (quick and done >= n_choices + SPARE_ESTIMATES):
            break
        one = left.pop(0)
        if expected_seconds(one.key, dataset) > patience:
            continue
        if not quick and left and known:
            partner = _complement(one, [other for other in ranked[:PARTNERS] if other in left] or left[:1], known)
            left.remove(partner)
            left.insert(0, partner)
        quick.append(one)
    return quick


def _complement(first: Choice, others: list[Choice], known: list[TableShape]) -> Choice:
    """Return the choice with the highest mean, over the settings, of the larger of its share and that of the first."""
    shares = [one.shares("graph") for one in known]
    shares = [one for one in shares if first.key in one]

    def both(other: Choice) -> float:
        return math.fsum(max(one[first.key], one.get(other.key, 0.0)) for one in shares)

    return max(others, key=both)


def _weight(one: TableShape, dataset: Dataset) -> float:
    columns = math.log2(one.columns / dataset.p) / DOUBLINGS_OF_COLUMNS
    rows = math.log2(one.rows / max(dataset.n, 1)) / DOUBLINGS_OF_ROWS
    return math.exp(-(columns**2 + rows**2) / 2)


def _ranked(known: list[TableShape], weights: list[float], goal: str) -> list[Choice]:
    """Rank by the weighted mean of relative scores over the settings that a learner supports."""
    sums: dict[str, float] = {}
    totals: dict[str, float] = {}
    for one, weight in zip(known, weights, strict=True):
        for key, share in one.shares(goal).items():
            sums[key] = sums.get(key, 0.0) + weight * share
            totals[key] = totals.get(key, 0.0) + weight
    most = max(totals.values(), default=0.0)
    found = [Choice(key, sums[key] / total) for key, total in totals.items() if total >= most / 2 and sums[key] > 0]
    return sorted(found, key=lambda one: (-one.share, one.key))


def expected_seconds(key: str, dataset: Dataset) -> float:
    """Return the expected time of a run with default settings; infinite if it would take too much memory."""
    learner = LEARNERS[key]
    try:
        return learner.estimate(
            dataset, **learner.with_first_column(learner.checked(dataset.kind, {}), dataset.names[0])
        )
    except LearnersError:
        return math.inf


def _sentence(dataset: Dataset, goal: str, quick: list[Choice], near: list[TableShape]) -> str:
    first = quick[0]
    second = next((one for one in quick[1:] if f"{one.share:.0%}" != f"{first.share:.0%}"), None)
    size = f"{_span([one.columns for one in near])} columns, {_span([one.rows for one in near])} rows"
    n = sum(one.samples for one in near)
    if _covers(near, dataset):
        tables, like = f"{n} tables", f"These tables are of a similar size: {size}."
    else:
        tables = f"the {n} most similar tables"
        like = f"These tables have {size}; this table has {dataset.p:,} columns, {dataset.n:,} rows."
    if first.key == EXACT and goal == "probabilities":
        return (
            f"{first.label}: {dataset.p} columns are few enough to sum over all orders. Its probabilities are exact "
            "and depend on no search or chain."
        )
    best = "the best" if f"{first.share:.0%}" == "100%" else f"{first.share:.0%} of the best"
    beside = f"; {second.label} reached {second.share:.0%} of the best" if second else ""
    return f"{first.label}: on {tables} of known networks, {BY[goal]} was {best} on average{beside}. {like}"


def _covers(near: list[TableShape], dataset: Dataset) -> bool:
    """Return True if the ranges of the settings, which the reason states, contain the size of a table."""
    sizes = ([one.columns for one in near], dataset.p), ([one.rows for one in near], dataset.n)
    return all(min(known) <= own <= max(known) for known, own in sizes)


def _of_second(first: Choice, second: Choice | None) -> str:
    if second is None:
        return ""
    pair = f"{first.label} or {second.label}"
    return f" The results do not show whether {pair} is closer to the truth on this table; compare both."


def _of_slow(slow: tuple[Choice, ...], patience: float) -> str:
    if not slow:
        return ""
    names = " and ".join(one.label for one in slow)
    return f" {names} did better there, but would take more than {patience:g} s here."


def _span(values: list[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
