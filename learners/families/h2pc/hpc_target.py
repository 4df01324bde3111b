"""HPC for one target variable: its parents and children, and its Markov blanket."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ...common.errors import ParameterError
from ...common.progress import Tick, silent
from ...common.relabeling import as_nodes
from ...common.wording import did_you_mean, shown_value
from ...graphs.knowledge import Knowledge, bind
from ...graphs.rules import Rule
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...settings.parameter import parameters
from .hpc import learn_neighbors
from .hpc_search import HPCSearch, Neighborhoods, PCMethod, Unreliable
from .settings import HPC_TARGET


@dataclass(frozen=True, eq=False)
class Neighborhood(Neighborhoods):
    """The decisions of the search around one target, and its Markov blanket.

    Attributes
    ----------
    target : int
    blanket_of_target : tuple of int
        Given the blanket, the target is independent of all other variables.
    """

    target: Annotated[int, as_nodes]
    blanket_of_target: Annotated[tuple[int, ...], as_nodes]


class SingleTargetSearch(HPCSearch):
    """An `HPCSearch` around one target; an edge needs only the decision of the target."""

    kind = "hpc_target"
    joins = Rule.TARGET_HOLDS

    @property
    def skeleton(self) -> np.ndarray:
        """(p, p) bool, symmetric: the edges between the target and its neighbours."""
        chosen = self.chosen
        return chosen | chosen.T


@parameters(HPC_TARGET)
def hpc_target(
    ci_test: CITest,
    target: str = "",
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = None,
    unreliable: Unreliable = "literal",
    pc_method: PCMethod = "fdr",
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn the parents, children and Markov blanket of one variable with HPC.

    Parameters
    ----------
    ci_test : CITest
    target : str
        Name of the target variable. Default: the first column.
    alpha, max_cond_size, unreliable, pc_method, knowledge, tick
        As for `hpc`.

    Returns
    -------
    LearnResult
        `graph` is a star of the target and its neighbours, undirected except for the directions of the knowledge, and
        has the other required edges. `extra` is a `Neighborhood`, with the blanket.

    Raises
    ------
    ParameterError
        If the target is not a column, a setting is out of range, or `knowledge` contradicts itself or names an unknown
        column.

    Notes
    -----
    The other direction of each edge is not tested, so the graph can have an edge that `hpc` does not have.

    References
    ----------
    Gasse, Aussem and Elghazel (2012), An experimental comparison of hybrid algorithms for Bayesian network structure
    learning. ECML-PKDD, algorithm 1.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, hpc_target
    >>> result = hpc_target(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]), list("abc")), "a")
    >>> result.graph, result.extra.blanket_of_target
    (PDAG(p=3: 0-2), (1, 2))
    """
    names = ci_test.names
    if target and target not in names:
        near = did_you_mean(target, names[:20])
        raise ParameterError(f"target must be a column of the data, got {shown_value(target)}{near}")
    t = names.index(target) if target else 0
    bound = bind(knowledge, names)
    search = SingleTargetSearch(
        ci_test, alpha, max_cond_size, bound, unreliable=unreliable, pc_method=pc_method, targets=[t]
    )
    result = learn_neighbors(search, "hpc_target", tick)
    found = result.extra
    blanket = tuple(np.flatnonzero(found.blanket[t]).tolist())
    fields = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
    return dataclasses.replace(result, extra=Neighborhood(**fields, target=t, blanket_of_target=blanket))
