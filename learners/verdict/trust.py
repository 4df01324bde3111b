"""Calibrated probabilities that the arrows of a run are causes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np

from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..common.relabeling import ByPair
from ..common.sentences import Phrase, Quoted, percent, phrase
from ..common.validation import Seed, validated
from ..common.wording import count, quoted
from ..data.completed_data import ASSUMED, describe_filling
from ..data.dataset import Dataset
from ..data.determination import determined_groups
from ..evaluation.feature_calibration import Calibration
from ..graphs.pag import PAG
from ..results.result import LearnResult
from ..settings.shared import HIDDEN_SHARES
from .assumptions import NO_REASON, Assumptions, alike, check_assumptions, why_unread
from .filled_tables import FilledTables, n_groups
from .logistic_model import LogisticModel, stored
from .pair_evidence import RESAMPLES, Claim, ClaimEvidence, Shares, candidates, features, pair_evidence

DEFAULT_SHARE = 0.5  # share of such tables in the training data
SURE = 0.9  # probability from which a claim counts as well supported
UNLIKELY = 0.1  # probability of a cause below which it counts as unsupported
SAME = 0.95  # share of the resamples, for each method, from which a cause is identified
Verdict = Literal["identified", "by experience", "undecided", "not judged"]
MEANING: dict[Verdict, str] = {
    "identified": "all methods agree in nearly all resamples",
    "by experience": "such claims were mostly right on simulated tables, though not all methods agree",
    "undecided": "chance, a hidden common cause or the opposite direction may explain it",
}
# Weakest reliability that was measured by kind of table, see docs/guides/trust.md
MORE_CAREFUL = (  # why a direction with overwhelming odds can be undecided
    "the odds for a direction in explanations take the other edges as given, and assume that no cause is hidden",
    "the reliability check learns again from bootstrap samples, and allows hidden causes",
)
WEAKEST = {
    "continuous": "fewer are right where hidden causes are strong: 82% in eight simulated tables",
    "categorical": (
        "fewer are right where one hidden variable affects most columns: 18 of 25 in eight samples of the network "
        "'child'. None of these was identified by all methods"
    ),
}


@dataclass(frozen=True, eq=False)
class Trust:
    """Calibrated probabilities of causal claims about the columns of a table.

    Attributes
    ----------
    names : tuple of str
        The columns.
    cause : (p, p) float64 array
        Probability that i causes j, directly or not. 0 for pairs that nearly no resample connects this way; NaN if
        nothing is claimed.
    no_cause : (p, p) float64 array
        Probability that i does not cause j, for pairs with such a claim; NaN for others.
    adjacent : (p, p) float64 array
        Symmetric: probability that no set of other columns separates a pair. NaN if nothing is claimed.
    identified : (p, p) bool array
        True if i causes j in at least 95 % of the resamples by each method: BOSS, the search over MAGs (with
        categorical columns: BOSS-FCI), FCI at two levels, and order MCMC.
    assumptions : Assumptions
        Result of the checks of the table.
    silent : str
        Reason why nothing is claimed, as a sentence without a capital or a full stop; empty if something is claimed.
    n_resamples : int
    kind : "continuous", "categorical" or "mixed"
        Column types of the table.
    hidden_share : float
        Share of the simulated tables with hidden common causes that the probabilities stand for.
    support : dict of str to Shares
        Shares by method. For order MCMC, `arrow` and `head` are both the probability that i -> j is compelled, and
        `adjacent` is that of an edge.
    filled : int
        Missing cells that were imputed by draws.
    share_filled : float
        Their share of all cells.
    rows_seen : int
        Rows in which each judged pair is observed; the tables that are learned have as many. Other pairs are NaN.
    groups : int
        Groups of dependent rows; each table that is learned has one row of each. 0 if rows are independent.
    """

    names: tuple[str, ...]
    cause: ByPair
    no_cause: ByPair
    adjacent: ByPair
    identified: ByPair
    assumptions: Assumptions
    silent: str = ""
    n_resamples: int = 0
    support: Mapping[str, Shares] = field(default_factory=dict)
    kind: str = "continuous"
    hidden_share: float = 0.5
    filled: int = 0
    share_filled: float = 0.0
    rows_seen: int = 0
    groups: int = 0

    HEADS: ClassVar[tuple[str, ...]] = (
        "first",
        "second",
        "P(first causes second)",
        "P(second does not cause first)",
        "P(adjacent)",
        "verdict",
    )

    def verdict(self, i: int, j: int) -> Verdict:
        """Return the verdict on "i causes j"; see `MEANING`."""
        if self.silent:
            return "not judged"
        if not self.cause[i, j] >= SURE:
            return "undecided"
        return "identified" if self.identified[i, j] else "by experience"

    def with_hidden_share(self, share: float) -> Trust:
        """Return the probabilities recomputed for fields in which `share` of the tables have hidden common causes."""
        check_share(share)
        if self.silent or share == self.hidden_share:
            return replace(self, hidden_share=share)
        known = stored(f"trust_{self.kind}")["shifts"]
        moved = {
            field: _shifted(values, known[claim][_place(share)] - known[claim][_place(self.hidden_share)])
            for field, claim, values in (("cause", "cause", self.cause), ("no_cause", "no cause", self.no_cause))
        }
        return replace(self, hidden_share=share, **moved)

    def no_cause_back(self, i: int, j: int) -> float:
        """Return the probability that j does not cause i; NaN without such a claim.

        It is at least that of i causing j, because no variable causes its own cause; the two are calibrated apart.
        """
        return float(np.maximum(self.no_cause[j, i], self.cause[i, j]))

    def of_pair(self, i: int, j: int) -> list[str]:
        """Return sentences on whether one column of a pair causes the other, the conclusion first."""
        if self.silent:
            return []
        if math.isnan(self.cause[i, j]):
            return ["too few rows have both of this pair, so it is not judged"]
        if not max(self.cause[i, j], self.cause[j, i]) > 0.0:
            return ["no method often finds a cause in this pair"]
        if self.cause[j, i] > self.cause[i, j]:
            i, j = j, i
        a, b = quoted([self.names[i]]), quoted([self.names[j]])
        found = [f"{a} causes {b} with P {probability_text(self.cause[i, j])}: {MEANING[self.verdict(i, j)]}"]
        if self.cause[i, j] >= SURE and not math.isnan(back := self.no_cause_back(i, j)):
            found.append(f"{b} does not cause {a} with P {probability_text(back)}")
        return found

    def beside_support(self, i: int, j: int, n: int, *, odds: bool) -> list[Phrase]:
        """Return sentences on an arrow i -> j to show beside the support of its direction, the verdict first.

        The last one limits the odds for the direction, if there are any. The odds come from all `n` rows of the run,
        take the other edges as given, and assume that no cause is hidden. In a table of 640 rows with gaps, the
        posterior probability of an arrow with odds over a million to 1 was 0.996 given all rows and 0.68 given the 236
        that this verdict counts; BOSS found it in 10 and in 8 of 12 bootstrap samples.
        """
        limits = [phrase("The odds take the other edges as given, and assume that no cause is hidden.")] if odds else []
        if self.silent:
            template = "The reliability check claims nothing about causes, because {reason}."
            return [phrase(template, reason=self.silent), *limits]
        if math.isnan(self.cause[i, j]):
            return [phrase("The reliability check did not judge this pair: too few rows have both."), *limits]
        p = probability_text(self.cause[i, j])
        if self.cause[i, j] >= SURE:
            return [phrase("By the reliability check, it is well supported as a cause: P {p}.", p=p)]
        found = [
            phrase(
                "The reliability check leaves it undecided as a cause: P {p}, less than {sure}.", p=p, sure=str(SURE)
            )
        ]
        if 0 < self.rows_seen < n:
            found.append(
                phrase("Because of gaps, the check counts {rows} of {n} rows.", rows=f"{self.rows_seen:,}", n=f"{n:,}")
            )
        found += self._found_by(i, j)
        return [*found, *limits]

    def _found_by(self, i: int, j: int) -> list[Phrase]:
        """State how often the first method, BOSS, finds i -> j and j -> i, or which method rarely finds i -> j."""
        if not self.support:
            return []
        name, first = next(iter(self.support.items()))
        there, back = (percent(float(share)) for share in (first.arrow[i, j], first.arrow[j, i]))
        if first.arrow[i, j] < SAME:
            template = "In bootstrap samples, {method} finds this arrow in {there}, and the opposite one in {back}."
            return [phrase(template, method=name, there=there, back=back)]
        name, least = min(self.support.items(), key=lambda one: one[1].arrow[i, j])
        template = "{method}, which allows hidden causes, finds this arrow in only {there} of the bootstrap samples."
        if not least.arrow[i, j]:
            template = "{method}, which allows hidden causes, finds this arrow in none of the bootstrap samples."
        allows = name not in (next(iter(self.support)), "order MCMC") and least.arrow[i, j] < SAME
        return [phrase(template, method=name, there=percent(float(least.arrow[i, j])))] if allows else []

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row of `HEADS` for each ordered pair with a claim, the most probable cause first."""
        pairs = [] if self.silent else np.argwhere((self.cause > 0.0) | ~np.isnan(self.no_cause.T)).tolist()
        pairs.sort(key=lambda pair: (-self.cause[tuple(pair)], pair))
        return [
            (
                self.names[i],
                self.names[j],
                *(_text(value) for value in (self.cause[i, j], self.no_cause_back(i, j), self.adjacent[i, j])),
                self.verdict(i, j),
            )
            for i, j in pairs
        ]

    def sentences(self, result: LearnResult) -> list[str]:
        """Return sentences on how well the arrows of a result are supported, the conclusion first."""
        if self.silent:
            return [phrase("nothing is claimed about causes, because {reason}", reason=self.silent)]
        arrows = result.graph.directed_edges()
        if not arrows:
            return ["the graph has no arrows to judge", *self.filling()]
        good = [arrow for arrow in arrows if self.cause[arrow] >= SURE]
        weak = [arrow for arrow in arrows if arrow not in good]
        supported = "is well supported as a cause" if len(good) == 1 else "are well supported as causes"
        found = [f"{len(good)} of {count(len(arrows), 'arrow')} {supported}"]
        if weak:
            open_ = [arrow for arrow in weak if not self.cause[arrow] < UNLIKELY]
            unlikely = [arrow for arrow in weak if self.cause[arrow] < UNLIKELY]
            if open_:
                reason = "chance, a hidden common cause or the opposite direction may explain them"
                found.append(f"undecided: {self._listed(open_)}; {reason}")
            if unlikely:
                found.append(f"not supported as causes: {self._listed(unlikely)}, each with P < {UNLIKELY}")
            found += MORE_CAREFUL
        found += self.filling()
        known = reliability(self.kind, self.hidden_share)
        found.append(
            f"an arrow is well supported if P(cause) ≥ {SURE}: on {known.tables} simulated tables of many kinds, "
            f"{100 * known.when_sure:.0f}% of such claims were right; your table can differ from them"
        )
        if self.kind in WEAKEST and any(self.verdict(*arrow) == "by experience" for arrow in good):
            found.append(WEAKEST[self.kind])
        return found

    def _listed(self, arrows: Sequence[tuple[int, int]], most: int = 3) -> str:
        """Return the most probable of some arrows by name, and the number of the others."""
        arrows = sorted(arrows, key=lambda arrow: (-self.cause[arrow], arrow))
        shown = [f"{quoted([self.names[i]])} → {quoted([self.names[j]])}" for i, j in arrows[:most]]
        return ", ".join(shown) + (f" and {len(arrows) - most:,} more" if len(arrows) > most else "")

    def filling(self) -> list[str]:
        """Return sentences, without a capital or a full stop, on the treatment of groups of rows and missing cells."""
        groups = [f"rows of one group depend on one another, so each of {self.groups:,} groups counts as one row"]
        if not self.filled:
            return groups if self.groups else []
        return (groups if self.groups else []) + [
            f"for this verdict, {describe_filling(self.filled, self.share_filled)}",
            ASSUMED,
            f"the verdict counts {self.rows_seen:,} rows: the fewest in which both columns of a judged pair are "
            "observed",
        ]


BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True, eq=False)
class Reliability:
    """Share of right claims of a cause on simulated tables of one kind that the training did not use.

    Attributes
    ----------
    tables : int
    claims : Calibration
        Shares of right claims by range of the probability.
    """

    tables: int
    claims: Calibration

    @property
    def when_sure(self) -> float:
        """Share of correct claims among the claims with P >= .9."""
        sure = self.claims.said >= SURE
        return float(np.average(self.claims.came_true[sure], weights=self.claims.n[sure]))


def reliability(kind: str, hidden_share: float = 0.5) -> Reliability:
    """Return the reliability of claims of a cause on "continuous", "categorical" or "mixed" tables."""
    known = stored(f"trust_{kind}")["reliability"]
    said, came_true, n = (np.array(values) for values in zip(*known["cause"][_place(hidden_share)], strict=True))
    return Reliability(known["tables"], Calibration(np.array(BINS), said, came_true, n))


def check_share(share: float) -> None:
    """Raise ParameterError unless the share of tables with hidden common causes is one of `HIDDEN_SHARES`."""
    if share not in HIDDEN_SHARES:
        raise ParameterError(
            f"hidden_share must be {HIDDEN_SHARES[0]}, {HIDDEN_SHARES[1]} or {HIDDEN_SHARES[2]}, got {share!r:.80}"
        )


def _place(share: float) -> int:
    return HIDDEN_SHARES.index(share)


def _shifted(probabilities: np.ndarray, shift: float) -> np.ndarray:
    """Return probabilities with shifted log odds; 0, 1 and NaN stay the same."""
    odds = probabilities * math.exp(shift)
    return odds / (odds + 1.0 - probabilities)


@validated
def trust(
    result: LearnResult, dataset: Dataset, *, hidden_share: float = 0.5, seed: Seed = 0, tick: Tick | None = None
) -> Trust | None:
    """Return calibrated probabilities that the arrows of a run are causes, even if common causes are hidden.

    Resamples of the rows are learned with BOSS, a search over MAGs and FCI at two levels, and order MCMC averages over
    DAGs of all rows. With categorical columns, BOSS-FCI takes the place of the search over MAGs. Logistic regressions
    turn the shares, the strengths of the edges and the signs of violated assumptions into probabilities. They were
    fitted to simulated tables of many kinds whose causes are known, also with hidden variables (`benchmarks/trust.py`).
    The graph of the run itself changes no probability.

    Parameters
    ----------
    result : LearnResult
        A run on columns of any type.
    dataset : Dataset
        The data of the run. Missing cells are imputed several times by draws given the others, and resamples are taken
        from these tables in turn. Each counts no more rows than each judged pair is observed in.
    hidden_share : 0.1, 0.5 or 0.9, default 0.5
        Frequency of hidden causes in your field: the share of the simulated tables that have some. A larger share
        leaves fewer arrows well supported.
    seed : int, default 0
        Seed of the resamples.
    tick : Tick, optional
        Progress listener.

    Returns
    -------
    Trust
        None if the tick cancels. Nothing is claimed where a check found serial rows, copies, drifting or nonlinear
        relations or hidden factors, because too many claims on such tables were wrong; nor with dependent rows, fewer
        than 4 or more than 100 columns, or too few rows. Background knowledge is not used.

    Examples
    --------
    >>> from learners import learn, random_gaussian_network, sample, trust
    >>> data = sample(random_gaussian_network(6, 7, seed=1), 500, seed=1)
    >>> trust(learn("boss", data), data).cause.shape
    (6, 6)
    """
    if tuple(sorted(result.names)) != tuple(sorted(dataset.names)):
        raise ParameterError("the result must be of this data set; pass the data that it was learned from")
    check_share(hidden_share)
    dataset = dataset.reordered([dataset.index(name) for name in result.names])
    assumptions = check_assumptions(dataset, None if isinstance(result.graph, PAG) else result)
    if (nothing := silent_trust(dataset, assumptions)) is not None:
        return nothing.with_hidden_share(hidden_share)
    kind, order = dataset.kind, dataset.by_name  # so that resamples do not depend on the order of the columns
    listen = _Wanted(tick or silent)
    filled = FilledTables(dataset.reordered(order), seed=seed, tick=listen)
    try:
        tables = [filled.as_seen(t) for t in range(min(len(filled), RESAMPLES))]
        evidence = pair_evidence(*tables, seed=seed, tick=listen)
    except Stopped:
        return None
    place = np.argsort(order)
    at = np.ix_(place, place)
    cause, adjacent = _probabilities(evidence, kind, "cause", 0.0), _probabilities(evidence, kind, "adjacent", 0.0)
    found = Trust(
        result.names,
        cause[at],
        _probabilities(evidence, kind, "no cause", math.nan).T[at],
        np.fmax(adjacent, adjacent.T)[at],
        _identified(evidence)[at],
        assumptions,
        n_resamples=evidence.n_resamples,
        support={
            name: Shares(shares.arrow[at], shares.head[at], shares.adjacent[at])
            for name, shares in (
                *evidence.shares.items(),
                ("order MCMC", Shares(evidence.compelled, evidence.compelled, evidence.adjacent)),
            )
        },
        kind=kind,
        filled=int(dataset.n_missing.sum()),
        share_filled=float(dataset.n_missing.sum() / (dataset.n_rows * dataset.p)),
        rows_seen=filled.seen.n,
        groups=0 if dataset.groups is None else n_groups(dataset),
    )
    unseen = ~filled.seen.judged[at]
    found = replace(
        found,
        **{name: np.where(unseen, math.nan, getattr(found, name)) for name in ("cause", "no_cause", "adjacent")},
        identified=found.identified & ~unseen,
    )
    return found.with_hidden_share(hidden_share)


class _Wanted:
    """Tick that stays cancelled once it was, also if it was cancelled while cells were imputed."""

    def __init__(self, tick: Tick) -> None:
        self._tick, self._goes_on = tick, True

    def __call__(self, phase: str, done: int, total: int) -> bool:
        self._goes_on = self._goes_on and self._tick(phase, done, total)
        return self._goes_on


def _text(probability: float) -> str:
    return "" if math.isnan(probability) else repr(float(probability))


def probability_text(probability: float) -> str:
    """Return "= 0.97" for a probability, with two digits, and never 0 or 1."""
    return "< 0.01" if probability < 0.01 else "> 0.99" if probability > 0.99 else f"= {probability:.2f}"


def silent_trust(dataset: Dataset, assumptions: Assumptions) -> Trust | None:
    """Return a verdict that claims nothing, for the reason of `why_silent`; None if something can be claimed."""
    reason = why_silent(dataset, assumptions)
    if not reason:
        return None
    nothing = np.broadcast_to(math.nan, (dataset.p, dataset.p))  # one number, however many columns
    none = np.zeros((dataset.p, dataset.p), dtype=bool)
    return Trust(dataset.names, nothing, nothing, nothing, none, assumptions, reason, kind=dataset.kind)


def why_silent(dataset: Dataset, assumptions: Assumptions) -> Phrase:
    """Return the reason why nothing is claimed on a table, given its checks; empty if something is claimed.

    A violated relation is such a reason, and `Assumptions.unread` names it.
    """
    if reason := why_unread(dataset):
        return reason
    if assumptions.serial is not None:
        return alike([dataset.names[j] for j in assumptions.serial.columns])
    if assumptions.unread and not assumptions.without_signs:
        return assumptions.unread
    if dataset.kind != "continuous" and (groups := determined_groups(dataset)):
        return phrase("other columns determine {column}", column=Quoted([dataset.names[groups[0].target]]))
    if assumptions.hidden is not None and assumptions.hidden.kind == "factors":
        columns = Quoted([dataset.names[j] for j in assumptions.hidden.columns])
        return phrase("one hidden variable seems to explain {columns}", columns=columns)
    return NO_REASON


def _probabilities(evidence: ClaimEvidence, kind: str, claim: Claim, other: float) -> np.ndarray:
    """Return (p, p) probabilities of a claim; `other` for pairs that are not candidates."""
    model = LogisticModel.from_dict(stored(f"trust_{kind}")[claim])
    found = np.full((evidence.p, evidence.p), other)
    pairs = candidates(evidence, claim)
    if len(pairs):
        found[tuple(pairs.T)] = model.probability(features(evidence, pairs)[0])
    return found


def _identified(evidence: ClaimEvidence) -> np.ndarray:
    """Return (p, p) bool: a cause in nearly all resamples, by each method."""
    return np.minimum.reduce([one.arrow for one in evidence.shares.values()] + [evidence.compelled]) >= SAME
