"""Confidence in the arrow directions of a learned graph, the same measure for all learners.

An arrow of a CPDAG rests on unshielded triples: it belongs to a v-structure, or follows by Meek's rules, which treat
triples as non-colliders. For each triple, the data give a Bayes factor between the two readings. The confidence of an
arrow is that of the weakest premise in its strongest derivation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..common.errors import LearnersError
from ..data.dataset import LeftOut
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG, ancestors, rows_of
from ..graphs.pag import PAG
from ..graphs.rules import Rule
from ..graphs.sepsets import Sepsets
from ..results.directions import MAX_SURE_STEPS, STRONG_EVIDENCE, SURE_SHARE, Arrow, Direction, Premise, Support
from ..results.events import Action
from ..results.result import LearnResult
from ..results.trace import Trace
from ..scores.score import Score

MIN_PROBABILITY = 1e-15
MAX_CONDITIONING_SET = 8  # maximum number of members of a set; with more, the tables are too sparse


class _Derivation(NamedTuple):
    """Derivation of an arrow: its weakest premise with its evidence, the number of steps, and the arrows it uses."""

    evidence: float
    premise: Premise | None
    steps: int
    arrows: tuple[Arrow, ...] = ()


GIVEN = _Derivation(math.inf, None, 0)


class TripleEvidence:
    """Bayes factors of unshielded triples.

    Parameters
    ----------
    graph : PDAG
    sepsets : Sepsets
        Separating sets of the run. For a pair without one, the parents of one of the two nodes in a DAG of the graph
        are used.
    score : Score
        Bound to the data.

    Notes
    -----
    Let S separate i and j, without k. A v-structure has the families of i and j given S, and of k given i and j. A
    non-collider has those of i -> k -> j, j -> k -> i or i <- k -> j, whichever scores best. Each family except those
    of i and j given S may have S as additional parents. The difference of the scores is the log odds of the two
    readings for a score that is a log marginal likelihood, exactly or, as BIC, approximately.
    """

    def __init__(self, graph: PDAG, sepsets: Sepsets, score: Score) -> None:
        self.sepsets, self.score = sepsets, score
        self.dag = consistent_extension(graph).dag
        self.parents = rows_of(self.dag.amat.T)
        self.known: dict[tuple[int, int, int], float] = {}

    @cached_property
    def above(self) -> np.ndarray:
        """Return the ancestors of each node in the DAG."""
        return ancestors(self.dag)

    def of(self, i: int, k: int, j: int, *, collider: bool) -> Premise:
        """Return the triple read as a collider or a non-collider, with the evidence in nats."""
        i, j = min(i, j), max(i, j)
        if (i, k, j) not in self.known:
            self.known[i, k, j] = self._collider(i, k, j)
        return Premise(i, k, j, collider, self.known[i, k, j] * (1.0 if collider else -1.0))

    def of_edge(self, i: int, j: int) -> float | None:
        """Return the score of j with its parents minus that without i, in nats; None if the parents are too many."""
        others = [node for node in self.parents[j] if node != i]
        if len(others) >= MAX_CONDITIONING_SET:
            return None
        return self.score.local(j, [*others, i]) - self.score.local(j, others)

    def _collider(self, i: int, k: int, j: int) -> float:
        given = [node for node in self._separating(i, j) if node != k]
        if len(given) > MAX_CONDITIONING_SET:
            return 0.0

        def best(node: int, *parents: int) -> float:
            without = self.score.local(node, parents)
            return max(without, self.score.local(node, [*parents, *given])) if given else without

        alone_i, alone_j = self.score.local(i, given), self.score.local(j, given)
        i_given_k, j_given_k = best(i, k), best(j, k)
        chains = alone_i + best(k, i) + j_given_k, alone_j + best(k, j) + i_given_k, best(k) + i_given_k + j_given_k
        return alone_i + alone_j + best(k, i, j) - max(chains)

    def _separating(self, i: int, j: int) -> tuple[int, ...] | list[int]:
        found = self.sepsets.between(i, j)
        return found if found is not None else self.parents[j if self.above[i, j] else i]


def direction_support(result: LearnResult, score: Score, left_out: Sequence[LeftOut] = ()) -> Mapping[Arrow, Direction]:
    """Return the confidence of each arrow of a result.

    Parameters
    ----------
    result : LearnResult
        Its own shares are used if it has some: those of resamples, `extra.direction_shares`, or the share of the
        posterior probability of an edge in which its direction is compelled, of order MCMC and exact sums.
    score : Score
        Bound to the data of the run: BDeu for categorical data, the Gaussian BIC for numeric data, or that of basis
        functions if the run follows curves.
    left_out : sequence of LeftOut
        Columns of the table that could replace variables. A direction that rests on such a variable is at most weakly
        supported, because it may be another one with another column left out.

    Returns
    -------
    mapping
        An entry for every arrow (i, j); for a PAG only for pairs that determine one another, and none for a cancelled
        run, whose directions are not final. No direction is supported more strongly than its edge, and none between
        columns that determine one another.

    References
    ----------
    Kass and Raftery (1995), Bayes factors. Journal of the American Statistical Association 90.
    """
    arrows = result.graph.directed_edges()
    if not result.complete:
        return {}
    if isinstance(result.graph, PAG):  # a DAG's score says nothing about hidden causes
        none = Direction(Support.DETERMINED)
        return {(i, j): none for i, j in result.graph.edges() if (min(i, j), max(i, j)) in result.undirected_pairs}
    known, refused, none = _known(result), _refused(result.trace), result.undirected_pairs
    adjacent = getattr(result.posterior, "adjacent", None)
    if (shares := _own_shares(result)) is not None:
        only = getattr(result.posterior, "only", np.zeros_like(shares.directions))
        found = {arrow: shares.direction(arrow, is_known=arrow in known or bool(only[arrow])) for arrow in arrows}
        chosen = {arrow: _of_choice(arrow, one, result.names, left_out) for arrow, one in found.items()}
        return {arrow: _undirected(arrow, one, none) for arrow, one in chosen.items()}
    try:
        evidence = TripleEvidence(result.graph, result.sepsets, score)
        derived = _derivations(result.graph, evidence, known)
        edges = {
            arrow: evidence.of_edge(*arrow) if adjacent is None else _log_odds(adjacent[arrow]) for arrow in arrows
        }
    except LearnersError:  # the score does not support data that the learner supports
        return {arrow: _undirected(arrow, Direction(Support.NOT_JUDGED), none) for arrow in arrows}
    found = {(i, j): _direction(derived.get((i, j)), (i, j) in known, (j, i) in refused) for i, j in arrows}
    limited = {arrow: _limited(one, edges[arrow], _near_differ(result, arrow)) for arrow, one in found.items()}
    chosen = {arrow: _of_choice(arrow, one, result.names, left_out) for arrow, one in limited.items()}
    chosen |= _no_surer_than_their_premises(chosen, derived, _DerivationFinder(result.graph, evidence))
    return {arrow: _undirected(arrow, one, none) for arrow, one in chosen.items()}


def _no_surer_than_their_premises(
    found: Mapping[Arrow, Direction], derived: Mapping[Arrow, _Derivation], reader: _DerivationFinder
) -> dict[Arrow, Direction]:
    """Return the arrows of strong support that follow only from arrows without it, now with weak support."""
    direct = {arrow: GIVEN for arrow, one in found.items() if one.support is Support.KNOWN}
    for arrow, one in found.items():
        own = _strongest(reader.v_structures(*arrow)) if one.support is Support.CLEAR else None
        if own is not None and own.evidence > STRONG_EVIDENCE:
            direct[arrow] = own
    weaker = {}
    for arrow, one in found.items():
        if one.support is not Support.CLEAR or not one.steps:
            continue
        other = _strongest(reader.inferences(*arrow, direct))
        if arrow not in direct and (other is None or other.evidence <= STRONG_EVIDENCE):
            unsure = next(used for used in derived[arrow].arrows if used not in direct)
            weaker[arrow] = replace(one, support=Support.WEAK, follows_from=unsure)
    return weaker


def _near_differ(result: LearnResult, arrow: Arrow) -> bool:
    """Return True if classes with nearly the best score give an edge different directions."""
    near = getattr(result.extra, "near", ())
    return len({one.graph.mark(*arrow) for one in near} - {"none"}) > 1


@dataclass(frozen=True)
class _Shares:
    """Shares of directions, (p, p) float64 arrays: of resamples, or of posterior probability."""

    directions: np.ndarray
    edges: np.ndarray | None
    of_probability: bool

    def direction(self, arrow: Arrow, *, is_known: bool) -> Direction:
        if is_known:
            return Direction(Support.KNOWN)
        share = float(self.directions[arrow])
        found = Direction(
            Support.CLEAR if share >= SURE_SHARE else Support.WEAK,
            share=share,
            edge_share=None if self.edges is None else float(self.edges[arrow]),
            of_probability=self.of_probability,
        )
        return replace(found, support=Support.WEAK) if found.edge_is_weak else found


def _own_shares(result: LearnResult) -> _Shares | None:
    """Return the shares of directions that a run computed itself, or None."""
    posterior, shares = result.posterior, getattr(result.extra, "direction_shares", None)
    if shares is not None:
        return _Shares(shares, None if posterior is None else posterior.adjacent, of_probability=False)
    if posterior is None or "directed" not in posterior.known:
        return None
    adjacent = posterior.adjacent
    shares = np.divide(posterior.compelled, adjacent, out=np.zeros_like(adjacent), where=adjacent > 0.0)
    return _Shares(shares, adjacent, of_probability=True)


def _limited(direction: Direction, edge: float | None, near_differ: bool) -> Direction:  # noqa: FBT001
    """Return the direction with at most the support of its edge, and weak support if near classes disagree."""
    found = replace(direction, edge=edge, near_differ=near_differ)
    weak = found.support is Support.CLEAR and (found.edge_is_weak or near_differ)
    return replace(found, support=Support.WEAK) if weak else found


def _of_choice(arrow: Arrow, direction: Direction, names: Sequence[str], left_out: Sequence[LeftOut]) -> Direction:
    """Return the direction, weakly supported if a column that was left out could replace a variable it rests on."""
    if direction.support is not Support.CLEAR:
        return direction
    premise = direction.premise
    own = {names[k] for k in (*arrow, *((premise.i, premise.k, premise.j) if premise else ()))}
    column = next((one.name for one in left_out if own & set(one.by)), "")
    return replace(direction, support=Support.WEAK, left_out=column) if column else direction


def _undirected(arrow: Arrow, direction: Direction, none: frozenset[tuple[int, int]]) -> Direction:
    """Return the direction, or none if one of the two variables determines the other."""
    if (min(arrow), max(arrow)) not in none or direction.support is Support.KNOWN:
        return direction
    return Direction(Support.DETERMINED, edge=direction.edge, edge_share=direction.edge_share)


def _log_odds(probability: float) -> float:
    """Return ln(P / (1 - P)), limited to what a double distinguishes."""
    share = min(max(float(probability), MIN_PROBABILITY), 1 - MIN_PROBABILITY)
    return math.log(share) - math.log1p(-share)


def _direction(found: _Derivation | None, is_known: bool, is_refused: bool) -> Direction:
    if is_known:
        return Direction(Support.KNOWN)
    if found is None:
        return Direction(Support.WEAK, is_refused_otherwise=is_refused)
    # A rejected reverse direction is ignored: such arrows were right as often as others.
    if found.evidence > STRONG_EVIDENCE:
        return Direction(Support.CLEAR if found.steps <= MAX_SURE_STEPS else Support.WEAK, found.premise, found.steps)
    support = Support.CONTESTED if is_refused or found.evidence < -STRONG_EVIDENCE else Support.WEAK
    return Direction(support, found.premise, found.steps, is_refused_otherwise=is_refused)


def _known(result: LearnResult) -> set[Arrow]:
    """Return the arrows that follow from background knowledge: by a rule, or because the reverse was excluded."""
    trace = result.trace
    found = _arrows(
        trace, trace.made_by({Rule.REQUIRED, Rule.FORBIDDEN, Rule.SETTLED}) & (trace.action == Action.ORIENT)
    )
    return found | {(i, j) for i, j in result.graph.directed_edges() if result.excludes(j, i)}


def _refused(trace: Trace) -> set[Arrow]:
    """Return the arrows of v-structures that were found, but rejected because they contradict earlier ones."""
    return _arrows(trace, trace.made_by({Rule.V_STRUCTURE_CONTRADICTED}) & (trace.action == Action.REFUSE))


def _arrows(trace: Trace, hit: np.ndarray) -> set[Arrow]:
    return set(zip(trace.i[hit].tolist(), trace.j[hit].tolist(), strict=True))


def _derivations(graph: PDAG, evidence: TripleEvidence, known: set[Arrow]) -> dict[Arrow, _Derivation]:
    """Return the strongest derivation of each arrow with few steps; otherwise one with the fewest steps."""
    arrows = graph.directed_edges()
    reader = _DerivationFinder(graph, evidence)
    found = {arrow: GIVEN for arrow in arrows if arrow in known}
    for arrow in arrows:
        if arrow not in known and (direct := _strongest(reader.v_structures(*arrow))):
            found[arrow] = direct
    for steps in range(1, graph.p):
        open_ = [arrow for arrow in arrows if arrow not in known and (steps <= MAX_SURE_STEPS or arrow not in found)]
        inferred = {arrow: _strongest(reader.inferences(*arrow, found)) for arrow in open_}
        before = len(found)
        for arrow, one in inferred.items():
            if one is not None and (arrow not in found or one.evidence > found[arrow].evidence):
                found[arrow] = one._replace(steps=steps)
        if steps > MAX_SURE_STEPS and len(found) == before:
            break
    return found


def _strongest(derivations: Iterator[_Derivation]) -> _Derivation | None:
    return max(derivations, key=lambda one: one.evidence, default=None)


class _DerivationFinder:
    """Find the derivations of an arrow i -> j in a graph."""

    def __init__(self, graph: PDAG, evidence: TripleEvidence) -> None:
        self.evidence, self.joined = evidence, graph.skeleton
        arrows = graph.amat & ~graph.amat.T
        self.parents, self.children = rows_of(arrows.T), rows_of(arrows)

    def v_structures(self, i: int, j: int) -> Iterator[_Derivation]:
        """Yield a derivation for each v-structure that contains the arrow."""
        for k in self.parents[j]:
            if k != i and not self.joined[i, k]:
                yield self._resting({}, self.evidence.of(i, j, k, collider=True))

    def inferences(self, i: int, j: int, found: Mapping[Arrow, _Derivation]) -> Iterator[_Derivation]:
        """Yield derivations by Meek's rules 1 to 3 from arrows with a known derivation."""
        for k in self.parents[i]:
            if not self.joined[k, j] and (k, i) in found:
                yield self._resting({(k, i): found[k, i]}, self.evidence.of(k, i, j, collider=False))
        between = [k for k in self.children[i] if (k, j) in found and (i, k) in found]
        yield from (self._resting({one: found[one] for one in ((i, k), (k, j))}) for k in between)
        above = [k for k in self.parents[j] if k != i and self.joined[i, k] and (k, j) in found]
        for k, l in combinations(above, 2):
            if not self.joined[k, l]:
                own = self.evidence.of(k, i, l, collider=False)
                yield self._resting({one: found[one] for one in ((k, j), (l, j))}, own)

    @staticmethod
    def _resting(before: Mapping[Arrow, _Derivation], own: Premise | None = None) -> _Derivation:
        """Return the derivation from some arrows, with the weakest of the premises."""
        all_ = [*before.values(), *([_Derivation(own.evidence, own, 0)] if own else [])]
        return min(all_, key=lambda one: one.evidence)._replace(arrows=tuple(before))
