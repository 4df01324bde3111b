"""ARACNE: edges by mutual information, without the weakest edge of each triplet."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Literal

import numpy as np

from ...common.errors import ParameterError
from ...common.parallel import run_chunks
from ...common.progress import Stopped, Tick, silent
from ...common.step_cache import Once, uncached
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.rules import Rule
from ...independence.information import InformationTest
from ...kernels.cimap.mutual_information import weakest_of_triplets
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult
from ...search.orientation import orient_known
from ...search.restriction import searched_once
from ...search.skeleton_result import constraint_result
from ...settings.parameter import parameters
from .evidence import information_strengths, pair_information
from .presets import Options
from .settings import ARACNE
from .twf_pc import InformationSearch


@parameters(ARACNE)
def aracne(
    ci_test: InformationTest,
    *,
    test: Literal["p", "mi"] = "p",
    alpha: float = 0.05,
    cut: float = 10.0,
    tolerance: float = 0.0,
    fdr: Literal["none", "sfdr"] = "none",
    q: float | None = None,
    fdr_method: Literal["bh", "by"] = "by",
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn an undirected graph with ARACNE.

    Parameters
    ----------
    ci_test : InformationTest
        Test bound to the data: ``MutualInformation(dataset)`` for categories, ``GaussianInformation(dataset)`` for
        numbers and mixed tables.
    test : "p" or "mi", default "p"
        First step: a χ² test of the mutual information of each pair, or comparison of the information with `cut`.
    alpha : float, default 0.05
        Significance level of the test, in (0, 1).
    cut : float, default 10
        Minimum information of an edge with test "mi", in mbit.
    tolerance : float, default 0
        Share ε, in [0, 1], by which an edge must be weaker than the others of its triplet to be removed; 1 keeps all.
    fdr : "none" or "sfdr", default "none"
        Control of false discoveries after the tests of all pairs and before the triplets, as in `cimap`; it needs the
        p-values of the test "p".
    q : float, optional
        Accepted share of false edges among the edges kept. Default: `alpha`.
    fdr_method : "by" or "bh", default "by"
        Procedure of Benjamini-Yekutieli or Benjamini-Hochberg.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed; forbidden pairs are never adjacent.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the steps done so far.
    once : Once, optional
        Cache of the tests for other runs.

    Returns
    -------
    LearnResult
        `graph` is undirected except for the directions of the knowledge; `extra` is a `MarginalInformation`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    By the data processing inequality I(x, z) <= min(I(x, y), I(y, z)) along a chain x - y - z, so the weakest edge of a
    triangle may be indirect. All triplets are examined before any edge is removed, so their order does not matter.
    No test conditions on other variables: edges that longer paths explain stay.

    References
    ----------
    Margolin, Nemenman, Basso, Wiggins, Stolovitzky, Dalla Favera and Califano (2006), ARACNE: an algorithm for the
    reconstruction of gene regulatory networks in a mammalian cellular context. BMC Bioinformatics 7. For categorical
    variables as in Bacciu, Etchells, Lisboa and Whittaker (2013), section 4.1.

    Examples
    --------
    >>> from learners import MutualInformation, aracne, load_sample
    >>> aracne(MutualInformation(load_sample("asia").dataset)).graph.n_edges
    7
    """
    if test == "mi" and fdr != "none":
        raise ParameterError("a cut of the mutual information has no p-values, which fdr needs; choose the test 'p'")
    settings = Options(test=test, alpha=alpha, cut=cut, max_cond_size=0, fdr=fdr, q=q, fdr_method=fdr_method)
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = InformationSearch(ci_test, settings, bound)
    try:
        search = searched_once(search, search.run, search.settings.of_tests, once, tick)
        search.control_at_the_end()
        _process_triplets(search, bound, tolerance, tick)
        graph, complete = orient_known(search.skeleton, bound, search.trace), True
    except Stopped:
        graph, complete = search.skeleton, False
    evidence = pair_information(search)
    result = constraint_result(
        search,
        graph,
        method="aracne",
        kind="aracne",
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=evidence,
        only_skeleton=True,
    )
    return dataclasses.replace(result, strengths=information_strengths(evidence))


def _process_triplets(search: InformationSearch, knowledge: BoundKnowledge, tolerance: float, tick: Tick) -> None:
    """Remove the weakest edge of each triplet, all at once, and record them, the weakest first."""
    p = len(search.adjacency)
    bits = search.bits
    middle, limit = np.full((p, p), -1, dtype=np.int32), np.zeros((p, p))

    def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        for i in range(begin, end):
            if stop[0]:
                return
            weakest_of_triplets(search.adjacency, bits, tolerance, i, i + 1, middle, limit)
            done[0] += 1

    run_chunks(piece, p, phase="triplets", tick=tick, light=True)
    pairs = np.argwhere(np.triu((middle >= 0) & ~knowledge.joined))
    pairs = pairs[np.argsort(bits[tuple(pairs.T)], kind="stable")]
    i, j = pairs.T
    search.adjacency[i, j] = search.adjacency[j, i] = False
    search.trace.extend(
        Phase(Stage.TRIPLETS),
        Action.REMOVE,
        pairs,
        middle[i, j][:, None],
        rule=Rule.TRIPLET,
        statistic=1e3 * bits[i, j],
        dof=math.nan,
        threshold=1e3 * limit[i, j],
    )
