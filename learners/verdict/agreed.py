"""Causes on which BOSS-FCI in resamples and order MCMC agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.checks import check_number
from ..common.errors import DataError, ParameterError
from ..common.progress import Stopped, Tick, check_cancelled, silent
from ..common.relabeling import ByPair
from ..common.validation import Positive, Seed, validated
from ..completion.completed import with_completion
from ..data.dataset import Dataset
from ..data.resampling import resampled
from ..families.catalogue import LEARNERS
from ..families.latent.boss_fci import SearchFromDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..registry import learn
from ..search.order_search import order_search

ALPHAS = (0.05, 0.01, 0.001)
MAX_COND_SIZE = 4
PHASE = "resamples"


@dataclass(frozen=True, eq=False)
class Agreed:
    """Causes on which all methods agree.

    Attributes
    ----------
    names : tuple of str
        The columns.
    causes : (p, p) bool array
        Entry [i, j] is True if i -> j is agreed: i causes j, possibly through others.
    least_share : (p, p) float64 array
        Share of the resamples with i -> j, the smallest of all levels.
    probability : (p, p) float64 array
        Probability, by order MCMC, that all DAGs of the equivalence class have i -> j.
    n_resamples : int
        Fewer than requested if cancelled; then nothing is agreed.
    """

    names: tuple[str, ...]
    causes: ByPair
    least_share: ByPair
    probability: ByPair
    n_resamples: int

    def arrows(self) -> list[tuple[str, str]]:
        """Return the agreed causes as pairs of names, cause first."""
        return [(self.names[i], self.names[j]) for i, j in np.argwhere(self.causes).tolist()]


@validated
def agreed(
    dataset: Dataset,
    *,
    alphas: Sequence[float] = ALPHAS,
    resamples: Positive = 50,
    share: float = 0.95,
    probability: float = 0.95,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    tick: Tick | None = None,
) -> Agreed:
    """Find the causes on which BOSS-FCI in resamples and order MCMC agree.

    An arrow counts if at each level at least `share` of the resamples have it in the PAG of BOSS-FCI, and its
    probability by order MCMC is at least `probability`.

    Parameters
    ----------
    dataset : Dataset
        Columns of any type; missing cells are imputed.
    alphas : sequence of float, default (0.05, 0.01, 0.001)
        Significance levels of BOSS-FCI.
    resamples : int, default 50
    share, probability : float, default 0.95
        In (0, 1].
    knowledge : Knowledge, optional
        Background knowledge of all runs.
    seed : int, default 0
        Seed of the resamples and of the chains.
    tick : Tick, optional
        Progress listener. If it returns False, nothing is agreed.

    Returns
    -------
    Agreed

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    DataError
        If there are fewer than two columns, or order MCMC cannot take the table.

    Notes
    -----
    Hidden common causes mislead single runs: FCI and its relatives are wrong in a sixth of their arrows or more. Causes
    that hold in resamples and by both methods are rarely wrong, and are about a quarter of the causes that could be
    known. A pair without an agreed cause is undecided: one may still cause the other.

    Examples
    --------
    >>> from learners import agreed, random_gaussian_network, sample
    >>> agreed(sample(random_gaussian_network(5, 5, seed=1), 500, seed=1), resamples=5).arrows()
    []
    """
    for name, value in (("share", share), ("probability", probability)):
        check_number(name, value, 0.0, 1.0, ends="(]")
    if len(alphas) == 0:
        raise ParameterError("alphas must have at least one level, got none; pass some, such as 0.01")
    for alpha in alphas:
        check_number("alphas", alpha, 0.0, 1.0, ends="()")
    if dataset.p < 2:
        raise DataError("causes need at least two columns, found fewer; use more columns")
    listen = tick or silent
    order = np.array(dataset.by_name)  # ties then follow the names, not the table
    rows = with_completion(dataset.reordered(order.tolist()), knowledge=knowledge, seed=seed, tick=listen)
    bound = bind(knowledge, rows.names)
    counts, done = np.zeros((len(alphas), rows.p, rows.p)), 0
    chance = np.zeros((rows.p, rows.p))
    try:
        for t in range(resamples):
            check_cancelled(listen, PHASE)
            counts += _arrows(resampled(rows, seed, (t,)), alphas, bound, seed + t, listen)
            done += 1
            if not listen(PHASE, done, resamples):
                raise Stopped
        run = learn("order_mcmc", rows, knowledge=knowledge, seed=seed, tick=listen)
        if not run.complete:
            raise Stopped
        chance = np.asarray(run.posterior.compelled)
        found = (counts / resamples).min(axis=0)
        causes = (found >= share) & (chance >= probability)
    except Stopped:
        found, causes = counts.min(axis=0) / max(done, 1), np.zeros((rows.p, rows.p), dtype=bool)
    place = np.ix_(np.argsort(order), np.argsort(order))
    return Agreed(dataset.names, frozen(causes[place]), frozen(found[place]), frozen(chance[place]), done)


def _arrows(dataset: Dataset, alphas: Sequence[float], knowledge: BoundKnowledge, seed: int, tick: Tick) -> np.ndarray:
    """Return (k, p, p) bool: the arrows of BOSS-FCI at each level, from one DAG; raise Stopped if cancelled."""
    ci_test, score = (need(dataset) for need in LEARNERS["boss_fci"].needs)
    best = order_search(score, knowledge=knowledge, seed=seed, tick=tick)
    if not best.complete:
        raise Stopped
    graphs = [
        SearchFromDAG(ci_test, alpha, knowledge, best.dag)
        .oriented(MAX_COND_SIZE, tick, colliders="max", possible_d_sep=False, knowledge=knowledge)
        .pag
        for alpha in alphas
    ]
    return np.array([graph.amat & ~graph.amat.T for graph in graphs])
