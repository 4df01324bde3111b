"""Ranges of the answers of several networks, such as those fitted to the DAGs of one equivalence class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...data.dataset import Dataset
from ...graphs.equivalence_class import each_dag
from ...graphs.graph import PDAG
from ..fitting import fit
from ..network import DiscreteNetwork, GaussianNetwork
from ..regression_network import RegressionNetwork
from .answers import Beliefs, Moments

Ends = Mapping[str, tuple[np.ndarray, np.ndarray]]  # by name: low and high of each probability, or of the mean
FittedNetwork = DiscreteNetwork | GaussianNetwork | RegressionNetwork
MAX_SETS = 16  # maximum number of networks fitted
MAX_DAGS = 1_000  # maximum number of DAGs searched for further sets of parents


class ClassNetworks(NamedTuple):
    """Networks of DAGs of one class, which differ in the parents of some variables.

    Attributes
    ----------
    networks : tuple of networks
        The first is the member that `fit` chooses.
    complete : bool
        True if they have all sets of parents that these variables have in the class.
    """

    networks: tuple[FittedNetwork, ...]
    complete: bool


def class_networks(
    graph: PDAG,
    dataset: Dataset,
    network: FittedNetwork,
    nodes: Sequence[int],
    ess: float = 1.0,
    *,
    max_sets: int = MAX_SETS,
    max_dags: int = MAX_DAGS,
) -> ClassNetworks:
    """Fit a network for each set of parents that some variables have in the DAGs of a class.

    All DAGs of a class fit alike, so an intervention on these variables gives different answers only through their
    parents (truncated factorization; Pearl 2009, equation 3.10). With mixed data or missing values this holds nearly.

    Parameters
    ----------
    graph : PDAG
        A CPDAG, or another graph that represents DAGs.
    dataset : Dataset
        One column per node.
    network : DiscreteNetwork, GaussianNetwork or RegressionNetwork
        The network that `fit` returns for this graph, dataset and `ess`; it is not fitted again.
    nodes : sequence of int
        The variables that are set.
    ess : float, default 1.0
        Equivalent sample size of `fit`.
    max_sets, max_dags : int
        Largest number of networks, and of DAGs searched for them.

    Raises
    ------
    DataError
        As in `fit`.
    """
    found = {_parents(network.dag, nodes): network.dag}
    complete = True
    for k, dag in enumerate(each_dag(graph)):
        above = _parents(dag, nodes)
        if k == max_dags or (len(found) == max_sets and above not in found):
            complete = False
            break
        found.setdefault(above, dag)
    others = (fit(dag, dataset, ess) for dag in list(found.values())[1:])
    return ClassNetworks((network, *others), complete)


def _parents(dag: PDAG, nodes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(dag.parents(j) for j in nodes)


def belief_ranges(answers: Sequence[Beliefs]) -> Ends:
    """Return the smallest and the largest answer on each variable.

    Parameters
    ----------
    answers : sequence of Beliefs
        Of networks with the same variables.

    Returns
    -------
    dict of str to (low, high)
        By name; (r,) probabilities of the levels, or means of shape () in the units of the data.
    """
    found = {}
    for name, first in answers[0].items():
        stacked = np.stack(
            [np.asarray(one[name].mean if isinstance(first, Moments) else one[name], dtype=float) for one in answers]
        )
        found[name] = stacked.min(axis=0), stacked.max(axis=0)
    return found


def united(
    intervals: Sequence[Mapping[str, tuple[np.ndarray, np.ndarray]]],
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the smallest lower and the largest upper limit of the intervals of several networks, by name."""
    return {
        name: (np.min([one[name][0] for one in intervals], axis=0), np.max([one[name][1] for one in intervals], axis=0))
        for name in intervals[0]
    }
