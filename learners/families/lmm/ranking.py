"""The moves of a run of LMM, and the edge ranking that they give."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from ...common.relabeling import as_nodes, by_pair, fields, with_sides
from ...graphs.knowledge import BoundKnowledge
from ...independence.dependence import Prior
from ...kernels.lmm.dependence import DependenceEvidence
from ...kernels.lmm.state import ADDED, AWARE, DROPPED, ELIMINATED, UNAWARE
from ...results.ranking import Ranking
from .orientation import VStructures

MAX_KEY = 30.0  # maximum |key| of a γ computed from a margin; beyond it, γ is 0 or 1 in double precision


@dataclass(frozen=True, eq=False)
class Moves:
    """All moves of forward selection and backward elimination, in order, as parallel read-only arrays of length m.

    Attributes
    ----------
    what : (m,) int array
        `ADDED`, `DROPPED` (OPT1), `AWARE` (OPT2: i becomes aware of j), `UNAWARE` (OPT3: i becomes unaware of j) or
        `ELIMINATED`.
    i, j : (m,) int arrays
        The pair, i < j except for OPT2 and OPT3.
    iteration : (m,) int array
        Number of additions so far, this one included; 0 for edges that background knowledge requires.
    aware : (m, 2) bool array
        True if i is aware of j, and j of i: after an addition, OPT2 or OPT3, and before a removal.
    key : (m,) float64 array
        -ln(-ln P) of the joint CPPD P at that moment, which does not saturate.
    one_sided : (m, 2) float64 array
        Lowest log-odds of dependence over the sets of i, and over the sets of j.
    hardest : (m, 2, k) int16 array
        The sets with these log-odds, padded with -1.
    """

    what: np.ndarray
    i: np.ndarray
    j: np.ndarray
    iteration: np.ndarray
    aware: np.ndarray
    key: np.ndarray
    one_sided: np.ndarray
    hardest: np.ndarray

    ADDED, DROPPED, AWARE, UNAWARE, ELIMINATED = ADDED, DROPPED, AWARE, UNAWARE, ELIMINATED

    def __len__(self) -> int:
        return len(self.what)

    def relabeled(self, new: np.ndarray) -> Moves:
        """Return the same moves with renumbered variables, pairs again with i < j; see `common.relabeling`."""
        i, j = as_nodes(self.i, new), as_nodes(self.j, new)
        swapped = (i > j) & (self.what != AWARE) & (self.what != UNAWARE)
        ends = np.column_stack([i, j])
        ends, aware, one_sided, hardest = with_sides(
            swapped, ends, self.aware, self.one_sided, as_nodes(self.hardest, new)
        )
        return replace(self, i=ends[:, 0], j=ends[:, 1], aware=aware, one_sided=one_sided, hardest=hardest)

    @property
    def joint(self) -> np.ndarray:
        """(m,) joint CPPD, equation 4."""
        return np.exp(-np.exp(-self.key))

    @property
    def n_forward(self) -> int:
        """Number of moves before backward elimination."""
        eliminated = self.what == ELIMINATED
        return int(np.argmax(eliminated)) if eliminated.any() else len(self)

    def hardest_set(self, move: int, side: int) -> tuple[int, ...]:
        """Return the set at which the one-sided value of i (side 0) or j (side 1) was lowest."""
        return tuple(int(k) for k in self.hardest[move, side] if k >= 0)


@dataclass(frozen=True, eq=False)
class EdgeRanking:
    """The `extra` of a result of LMM.

    Attributes
    ----------
    moves : Moves
    choice : int
        Number of moves after which the graph has the skeleton of the result.
    threshold : float
        The joint CPPD that each edge of the result exceeds; 0 means no threshold.
    prior : Prior or None
        None for a d-separation oracle.
    v_structures : VStructures or None
        Candidates in the skeleton of the result; None if LMM_EO did not orient it.
    evidence : Evidence
    knowledge : BoundKnowledge
    seed : int
        Evidence, knowledge and seed of the run; with these, other skeletons of the run can be oriented.
    reference : float
        Above 0 if the dependence comes from tests, not from partial correlations. The joint CPPD then ranks pairs but
        is not a probability: margins are measured from this γ, and `evidence` is only that of pairs given nothing.
    orientation : str
        The orientation of the run, with its default resolved; "" in results of earlier versions.
    """

    moves: Moves
    choice: int
    threshold: float
    prior: Prior | None
    v_structures: VStructures | None
    evidence: Annotated[DependenceEvidence, fields(corr=by_pair)]
    knowledge: BoundKnowledge
    seed: int
    reference: float = 0.0
    orientation: str = ""

    @property
    def tested(self) -> bool:
        """True if the joint CPPD is not a probability."""
        return self.reference > 0

    @property
    def value_name(self) -> str:
        """Name of the value that ranks the edges."""
        return "margin" if self.tested else "joint CPPD"

    def margin(self, key: float | np.ndarray) -> float | np.ndarray:
        """Return the key -ln(-ln P) of a joint CPPD minus the key of the reference."""
        return key - key_of(self.reference)

    def gamma_at(self, margin: float) -> float:
        """Return the γ at a margin."""
        return math.exp(-math.exp(-min(max(margin + key_of(self.reference), -MAX_KEY), MAX_KEY)))

    @cached_property
    def ranked(self) -> np.ndarray:
        """(r,) moves that eliminated an edge; the last move, of the most significant edge, comes first."""
        return np.flatnonzero(self.moves.what == ELIMINATED)[::-1]

    @property
    def pairs(self) -> np.ndarray:
        """(r, 2) ranked pairs i < j, the most significant first."""
        return np.column_stack([self.moves.i[self.ranked], self.moves.j[self.ranked]])

    def elimination_order(self, p: int) -> np.ndarray:
        """Return (p, p) numbers of ranked edges that were eliminated before the pair; NaN for unranked pairs."""
        values = np.full((p, p), np.nan)
        i, j = self.pairs[::-1].T
        values[i, j] = values[j, i] = np.arange(len(i))
        values.flags.writeable = False
        return values

    @cached_property
    def false_shares(self) -> np.ndarray:
        """(m,) expected share of false edges before each removal; see `expected_false_shares`."""
        return expected_false_shares(self.moves, self.evidence, self.knowledge)

    def ranking(self, joined: np.ndarray) -> Ranking:
        """Return the eliminated pairs, the last first; required edges, which are never eliminated, have no rank."""
        moves, at, pairs = self.moves, self.ranked, self.pairs
        return Ranking(
            pairs,
            np.arange(1, len(pairs) + 1),
            {"margin": self.margin(moves.key[at])}
            if self.tested
            else {"joint CPPD": moves.joint[at], "-ln(-ln joint CPPD)": moves.key[at]},
            {"set of the first": moves.hardest[at, 0], "set of the second": moves.hardest[at, 1]},
            joined[pairs[:, 0], pairs[:, 1]],
        )


def key_of(joint: float) -> float:
    """Return -ln(-ln P), the unsaturated key of a joint CPPD P in [0, 1)."""
    return -math.log(-math.log(joint)) if joint > 0 else -math.inf


def choice_in(
    moves: Moves, gamma: float, min_size: int, false_shares: np.ndarray | None = None, q: float | None = None
) -> int:
    """Return the number of moves after which backward elimination stops: algorithm 1, line 10, tested first.

    It continues while more than `min_size` edges are left, and the weakest has a joint CPPD of at most `gamma` or the
    expected share of false edges exceeds `q`. With gamma 0 and without q it continues down to `min_size` edges.
    """
    left = int((moves.what == ADDED).sum() - (moves.what == DROPPED).sum())
    highest = key_of(gamma) if gamma > 0 else math.inf if q is None else -math.inf
    for move in range(moves.n_forward, len(moves)):
        if left <= min_size or (moves.key[move] > highest and (q is None or false_shares[move] <= q)):
            return move
        left -= 1
    return len(moves)


def expected_false_shares(moves: Moves, evidence: DependenceEvidence, knowledge: BoundKnowledge) -> np.ndarray:
    """Return the expected share of false edges among those left before each removal of backward elimination.

    The p-value of an edge is that of its ends given the set that separates them best. If N pairs are in question and k
    edges are left, and p is the largest of their p-values, the share is at most N p / k.

    Parameters
    ----------
    moves : Moves
    evidence : DependenceEvidence
        That of the run.
    knowledge : BoundKnowledge
        Pairs that it joins or keeps apart are not in question.

    Returns
    -------
    (m,) float64 array
        At most 1; NaN for other moves.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate. JRSS B 57. Tsamardinos and Brown (2008),
    Bounding the false discovery rate in local Bayesian network learning. AAAI 23.
    """
    removals = np.flatnonzero(moves.what == ELIMINATED)
    known = knowledge.joined | knowledge.apart
    in_question = np.count_nonzero(np.triu(~known, 1))
    left = np.arange(len(removals), 0, -1)
    shares = np.full(len(moves), np.nan)
    largest_p = np.maximum.accumulate(np.exp(_log_p(moves, removals, evidence))[::-1])[::-1]
    shares[removals] = np.minimum(in_question * largest_p / left, 1.0)
    return shares


def _log_p(moves: Moves, at: np.ndarray, evidence: DependenceEvidence) -> np.ndarray:
    """Return ln of the p-values of pairs given their hardest sets; z² = -m ln(1 - ρ²) for a standard normal z."""
    from scipy.special import log_ndtr

    weaker = moves.one_sided[at].argmin(axis=1)
    odds = moves.one_sided[at, weaker]
    if evidence.separated.shape[2]:  # perfect information
        return np.where(odds > 0, -np.inf, 0.0)
    size = (moves.hardest[at, weaker] >= 0).sum(axis=1)
    # Log-odds are intercept - slope ln(1 - ρ²) with slope (n - size - 4) / 2; m is n - size - 5/2 (Bartlett).
    slope = evidence.slope[size]
    z_squared = np.maximum((odds - evidence.intercept[size]) / slope, 0.0) * (2 * slope + 1.5)
    return math.log(2.0) + log_ndtr(-np.sqrt(z_squared))
