"""CImap: PC by mutual information, the weakest first, with control of false negatives and false discoveries."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from ...common.errors import ParameterError
from ...common.progress import Stopped, Tick, silent
from ...common.run_warning import RunWarning
from ...common.sentences import Count, say
from ...common.step_cache import Once, uncached
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.information import InformationTest
from ...independence.power import Scale
from ...results.result import LearnResult
from ...search.orientation import orient_known, orient_search
from ...search.restriction import searched_once
from ...search.skeleton_result import constraint_result, warnings_of
from ...search.v_structures import ColliderCheck
from ...settings.parameter import parameters
from .effect_choice import EffectScore, Folds, best_effect, scored_effects
from .evidence import information_evidence, information_strengths
from .presets import Options, settings_of
from .settings import CIMAP
from .twf_pc import InformationSearch


@parameters(CIMAP)
def cimap(
    ci_test: InformationTest,
    folds: Folds | None = None,
    *,
    preset: Literal["P-1", "P-2", "P-3", "P-4", "MI1", "MI2", "PN1", "PN2"] = "P-1",
    test: Literal["preset", "p", "mi", "pn", "pn-all"] = "preset",
    twf: Literal["preset", "on", "off"] = "preset",
    fnr: Literal["preset", "on", "off"] = "preset",
    fdr: Literal["preset", "none", "sfdr", "ifdr", "pefdr"] = "preset",
    alpha: float = 0.05,
    cut: float | None = None,
    beta: float = 0.05,
    effect: float | None = None,
    effect_by: Literal["given", "cv"] = "given",
    scale: Scale = "bits",
    q: float | None = None,
    fdr_method: Literal["bh", "by"] = "by",
    literal: bool = False,
    max_cond_size: int | None = 3,
    orient: bool = True,
    collider_check: ColliderCheck = "dependent",
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn a skeleton, or a CPDAG, with CImap.

    Parameters
    ----------
    ci_test : InformationTest
        Test bound to the data: ``MutualInformation(dataset)`` for categories, ``GaussianInformation(dataset)`` for
        numbers and mixed tables.
    folds : Folds, optional
        The rows of the test, ``Folds(dataset)``, for `effect_by` "cv".
    preset : str, default "P-1"
        A configuration of the paper's table 2. P-1: χ² tests, weakest first. P-2: with interleaved FDR and FNR. P-3:
        with per-edge FDR and FNR. P-4: with interleaved FDR. MI1, MI2: a cut of 10 mbit, in the order of the columns or
        weakest first. PN1, PN2: normal approximation around 10 or 5 mbit, weakest first.
    test, twf, fnr, fdr : str
        Options that override the preset. `test`: "p" (χ² test of the mutual information), "mi" (information compared
        with `cut`), "pn" (normal approximation around `cut` for marginal tests, χ² tests given others) or "pn-all" (the
        normal approximation for all tests, by the variance of multiway tables). `twf`: test the weakest first, else in
        the order of the columns. `fnr`: skip tests without power, so that their edges stay. `fdr`: control false
        discoveries never, at the end ("sfdr"), after each order ("ifdr"), or among the tests of each edge ("pefdr").
    alpha : float, default 0.05
        Significance level of each test, in (0, 1).
    cut : float, optional
        μ in mbit. Default: that of the preset.
    beta, effect, scale
        Settings of `fnr`: a test is performed if it detects a dependence of size `effect` with power 1 - `beta`, see
        `power.fnr_bound`. Default of `effect`: by the numbers of rows and levels, so that the pair with the most levels
        can be tested given one more variable, see `power.suggested_effect`.
    effect_by : "given" or "cv", default "given"
        "cv": `effect` is chosen by cross-validation, see `effect_choice`; it has no effect without `fnr`, or
        with too few rows for every size.
    q : float, optional
        Accepted share of false discoveries, in (0, 1). Default: `alpha`.
    fdr_method : "bh" or "by"
        The procedure of Benjamini and Hochberg, or that of Benjamini and Yekutieli, valid under any dependence.
    literal : bool, default False
        Per-edge FDR as printed: an edge is removed only if no test of its family is rejected.
    max_cond_size : int, default 3
        Largest conditioning set tried; None for no limit.
    orient : bool, default True
        True to orient v-structures and apply Meek's rules; the paper ends with the skeleton.
    collider_check : "dependent" or "off"
        Additional test of a v-structure. "dependent": given the separating set of the ends and the middle, the ends are
        dependent, p <= alpha, and their information is at least the cut, if the test has one. Without it a pair that is
        weaker than the cut, or too weak for the number of rows, turns the chains between its ends into v-structures.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed; forbidden pairs are never adjacent; known directions come first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.
    once : Once, optional
        Cache of the tests for other runs.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG, or the skeleton; `strengths` is the mutual information of the pairs; `extra` is an
        `InformationEvidence`.

    Raises
    ------
    ParameterError
        If an option is out of range, "cv" lacks its rows, a cut is combined with `fnr` or `fdr`, or "pn-all" with
        `fnr`; if `knowledge` contradicts itself or names an unknown column.
    DataError
        If a cell is missing and `effect_by` is "cv".

    Notes
    -----
    With a d-separation oracle and no limit on the sets, each preset gives the true skeleton. Weakest first means: at
    each order, nodes are sorted by their strength σ, the sum of the information of their edges, and the edges of a node
    by their information; an edge is removed as soon as a set separates it [1]_. So the skeleton does not depend on the
    order of the columns, except for exact ties. Without `twf` it does; with test "p" and no other option that is the
    vanilla PC of the paper, "PC-G2".

    The degrees of freedom are those of the test. ``MutualInformation(dataset, dof="adjusted")``, the default of
    ``learn``, makes fewer errors on samples than the plain ones of the paper, which count unobserved states.

    The paper takes categories. Numbers and mixed tables have the information of the degenerate Gaussian, less what
    chance alone gives, and its χ² test, whose degrees of freedom do not grow with the set; see `GaussianInformation`.

    "pn-all" is one of the "obvious generalizations" of the normal approximation that the paper mentions and does not
    use. Estimates of the information increase with the cells of a table, so with few rows and many levels it keeps more
    false edges than the χ² test.

    The paper leaves some points open. The bound of `fnr` is the largest number of degrees of freedom with the power,
    counting all declared states; untested edges are in no family. A removed edge lowers the strength of both ends. The
    family of a node has its tested pairs, each with the largest p-value of its tests, and an edge stays iff both ends
    reject independence. The family of an edge must reject each independence, unless `literal`.

    References
    ----------
    .. [1] Bacciu, Etchells, Lisboa and Whittaker (2013), Efficient identification of independence networks using
       mutual information. Computational Statistics 28, algorithms 2 and 3.

    Examples
    --------
    >>> from learners import PDAG
    >>> from learners.families.cimap.cimap import cimap
    >>> from learners.independence import InformationOracle
    >>> cimap(InformationOracle(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    settings = settings_of(
        preset, test, twf, fnr, fdr, cut,
        alpha=alpha, beta=beta, effect=effect, scale=scale, q=q, fdr_method=fdr_method, literal=literal,
        max_cond_size=max_cond_size,
    )  # fmt: skip
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    scores: tuple[EffectScore, ...] = ()
    if effect_by == "cv" and settings.fnr:
        if folds is None:
            raise ParameterError("effect_by 'cv' needs the rows; pass Folds(dataset)")
        learned = partial(_graph_of, settings=settings, bound=bound, tick=tick, check=collider_check)
        try:
            scores = scored_effects(ci_test, folds, settings, learned)
            settings = replace(settings, effect=best_effect(scores)) if scores else settings
        except Stopped:
            pass  # the listener stops the run itself as well
    search = InformationSearch(ci_test, settings.for_test(ci_test.n, ci_test.widest_dof()), bound)
    search, graph, complete = learn_information(search, bound, tick, orient=orient, check=collider_check, once=once)
    result = information_result(
        search,
        graph,
        method="cimap",
        began=began,
        tests_before=tests_before,
        complete=complete,
        orient=orient,
    )
    return replace(result, extra=replace(result.extra, effects=scores)) if scores else result


def _graph_of(
    ci_test: InformationTest,
    effect: float,
    *,
    settings: Options,
    bound: BoundKnowledge,
    tick: Tick,
    check: ColliderCheck,
) -> PDAG:
    """Return the CPDAG of a run with an effect size; raise Stopped if cancelled."""
    search = InformationSearch(ci_test, replace(settings, effect=effect), bound)
    _, graph, complete = learn_information(search, bound, tick, orient=True, check=check, once=uncached)
    if not complete:
        raise Stopped
    return graph


def learn_information(
    search: InformationSearch, bound: BoundKnowledge, tick: Tick, *, orient: bool, check: ColliderCheck, once: Once
) -> tuple[InformationSearch, PDAG, bool]:
    """Run the search and orient its skeleton; return the search, the graph, and True if the run was complete."""
    try:
        search = searched_once(search, search.run, search.settings.of_tests, once, tick)
        search.control_at_the_end()
        if orient:
            cut = None if search.settings.test == "p" else search.rule.cut
            return search, orient_search(search, bound, check, tick, cut=cut), True
        return search, orient_known(search.skeleton, bound, search.trace), True
    except Stopped:
        return search, search.skeleton, False


def information_result(search: InformationSearch, graph, *, complete: bool, orient: bool, **about) -> LearnResult:
    """Return the result of a search by mutual information; `orient` is False if it looks for no directions."""
    evidence = information_evidence(search)
    warnings = (*warnings_of(search, graph, complete, only_skeleton=not orient), *_warnings_of_power(evidence, search))
    result = constraint_result(
        search, graph, kind="cimap", complete=complete, extra=evidence, warnings=warnings, **about
    )
    return replace(result, strengths=information_strengths(evidence))


def _warnings_of_power(evidence, search: InformationSearch) -> tuple[RunWarning, ...]:
    """Return a warning about the edges that were never tested because of too little power."""
    n = int(np.triu(evidence.untested & search.adjacency).sum())
    if not n:
        return ()
    sentence = say(
        "{edges} untested: with {n} rows only tests of at most {m} degrees of freedom have the required power; raise "
        "the effect size w or β to test more",
        edges=Count(n, "edge is", "edges are"),
        n=evidence.n,
        m=evidence.bound,
    )
    return (RunWarning("power", sentence),)
