"""LEARNERS: everything the app, the command line and the tests need to know about each learner.

Adding a learner is one file in `algorithms/` and one entry here; its form, its checks and its contract tests follow.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .averaging.bootstrap import bootstrap
from .brai.brai import brai
from .brai.rai import rai
from .brai.settings import (
    BRAI_ALPHA,
    BRAI_COLLIDER_CHECK,
    BRAI_COND_SIZE,
    BRAI_ESS,
    BRAI_POOLS,
    C1_FACTOR,
    COLLIDER_CHECK,
    FREQUENT,
    MI_BITS,
    N_CLASSES,
    N_RESAMPLES,
    POOLS,
    RAI_ALPHA,
    RAI_COND_SIZE,
    RAI_CUT,
    RAI_DOF,
    RESAMPLE_FACTOR,
    RESAMPLES,
    SHARE,
    TEMPERATURE,
)
from .cimap.aracne import aracne
from .cimap.cimap import cimap
from .cimap.pc_mi import pc_mi
from .cimap.settings import (
    ARACNE_CUT,
    ARACNE_TEST,
    BETA,
    CUT,
    EFFECT,
    FDR,
    FDR_METHOD,
    FNR,
    INFORMATION_ALPHA,
    INFORMATION_COND_SIZE,
    LITERAL,
    MAX_ROUNDS,
    MI_CUT,
    N_CANDIDATES,
    ORIENT,
    PLAIN_DOF,
    PRESET,
    SCALE,
    TOLERANCE,
    TWF,
    Q,
)
from .cimap.settings import TEST as INFORMATION_TEST
from .common.checks import did_you_mean, quoted
from .common.errors import DataError, ParameterError
from .common.progress import Tick, silent
from .constraint_based.fast_iamb import fast_iamb
from .constraint_based.mmpc import mmpc
from .constraint_based.pc import pc
from .constraint_based.si_hiton_pc import si_hiton_pc
from .data.dataset import Dataset, Kind
from .graphs.knowledge import Knowledge
from .h2pc.h2pc import h2pc
from .h2pc.hpc import hpc
from .h2pc.hpc_target import hpc_target
from .hybrid.mmhc import mmhc
from .independence import G2, CITest, DependencePosterior, FisherZ, MutualInformation, PermutationG2, ShrinkageMI
from .lmm.lmm import lmm
from .phgs.arges import arges
from .phgs.gsc import gsc
from .phgs.path import path
from .phgs.phgs import phgs
from .phgs.ppc import ppc
from .results.result import LearnResult
from .score_based.ges import ges
from .score_based.hc import hc
from .score_based.sca import sca
from .score_based.tabu import tabu
from .scores import BIC, BDeu, FamilyScore, GaussianBIC
from .search import seconds_of_search
from .settings.cost import seconds_of_blankets, seconds_of_lmm, seconds_of_tests
from .settings.parameter import Below, Parameter, Way
from .settings.shared import (
    ALPHA,
    ALPHA_MIN,
    ARGES_ALPHA,
    BDEU,
    BLANKET_COND_SIZE,
    CANDIDATE_COND_SIZE,
    COOLDOWN,
    CRITERION,
    DOF,
    ESS,
    ESS_OF_TEN,
    GAMMA,
    HPC_COND_SIZE,
    HYBRID_PATIENCE,
    LMM_COND_SIZE,
    LMM_WAYS,
    MAX_COND_SIZE,
    MAX_PARENTS,
    MAX_SIZE,
    MIN_SIZE,
    OMEGA,
    OPT_EVERY,
    ORIENTATION,
    PARTITIONED_COND_SIZE,
    PATH_ALPHA,
    PATH_SKELETON,
    PATIENCE,
    PC_METHOD,
    PENALTY,
    PERTURBATIONS,
    PRIOR,
    RESTARTS,
    RESTRICTION,
    ROWS_PER_CELL,
    RULE_OF_FIVE,
    SCORE,
    SKELETON,
    START,
    TABU_LENGTH,
    TARGET,
    TAU,
    TEST,
    TIES,
    UNRELIABLE,
)

Run = Callable[..., LearnResult]
HPC_MORE = 5.0  # tests of HPC for each of PC; seen: 3 to 8


@dataclass(frozen=True)
class Learner:
    """One published algorithm, declared once.

    Attributes
    ----------
    key, label, summary : str
        Key in `LEARNERS`, name on screen, and one plain sentence of what it does.
    paper : str
        Where it was published.
    family : str
        "constraint-based", "score-based" or "hybrid".
    kinds : tuple of Kind
        Kinds of data it takes.
    parameters : tuple of Parameter
    run : callable
        ``run(dataset, *, knowledge, tick, seed, **params) -> LearnResult``.
    estimate : callable
        ``estimate(dataset, **params) -> float``: rough seconds of a run, from a probe of some milliseconds.
    ways : tuple of Way
        Ways to use it, the first by default; none if there is only one.
    orders : tuple of Below
        Parameters of which one must lie below another.
    """

    key: str
    label: str
    summary: str
    paper: str
    family: str
    kinds: tuple[Kind, ...]
    parameters: tuple[Parameter, ...]
    run: Run = field(repr=False)
    estimate: Callable[..., float] = field(repr=False)
    ways: tuple[Way, ...] = ()
    orders: tuple[Below, ...] = ()

    def parameters_for(self, kind: Kind) -> tuple[Parameter, ...]:
        """The parameters that mean something for this kind of data."""
        return tuple(parameter for parameter in self.parameters if kind in parameter.kinds)

    def checked(self, kind: Kind, params: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, defaults filled in, each checked against its declaration."""
        known = {parameter.name: parameter for parameter in self.parameters_for(kind)}
        for name in params:
            if name not in known:
                raise ParameterError(
                    f"{self.key} has no parameter {name!r} for {kind} data{did_you_mean(name, list(known))}"
                )
        values = {name: parameter.checked(params.get(name, parameter.default)) for name, parameter in known.items()}
        for order in self.orders:
            order.check(values)
        return values


def learn(
    key: str,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: int = 0,
    **params: Any,
) -> LearnResult:
    """Run a learner of `LEARNERS` on a data set.

    Parameters
    ----------
    key : str
        Key of the learner, e.g. "pc".
    dataset : Dataset
    knowledge : Knowledge, optional
    tick : Tick, optional
        Listener, ``tick(phase, done, total) -> keep going?``.
    seed : int, default 0
        Source of all randomness of learners that have any.
    **params
        Parameters of the learner; those left out take their declared defaults.

    Returns
    -------
    LearnResult

    Raises
    ------
    ParameterError
        If the key, a parameter or the knowledge is wrong.
    DataError
        If the learner cannot take this data.

    Examples
    --------
    >>> from learners import learn, random_gaussian_network, sample
    >>> learn("pc", sample(random_gaussian_network(5, 4, seed=1), 500, seed=1), alpha=0.01).method
    'pc'
    """
    if key not in LEARNERS:
        raise ParameterError(f"unknown learner {key!r}{did_you_mean(key, list(LEARNERS))}")
    learner = LEARNERS[key]
    if dataset.kind not in learner.kinds:
        raise DataError(f"{learner.label} needs {' or '.join(learner.kinds)} columns, found {dataset.kind} ones")
    if dataset.p < 2:
        raise DataError(f"a graph needs at least two columns, found {quoted(dataset.names)}; use more columns")
    checked = learner.checked(dataset.kind, params)
    result = learner.run(dataset, knowledge=knowledge, tick=tick or silent, seed=seed, **checked)
    return dataclasses.replace(result, method=key, params=checked)


def ci_test_for(
    dataset: Dataset, *, test: str = "g2", dof: str = "adjusted", rows_per_cell: float = 0.0, seed: int = 0
) -> CITest:
    """The test that fits the kind of data: Fisher's z for numbers, the one asked for else."""
    if dataset.kind == "continuous":
        return FisherZ(dataset)
    if test in ("permutation", "semi-parametric"):
        semi_parametric = test == "semi-parametric"
        return PermutationG2(dataset, dof=dof, rows_per_cell=rows_per_cell, semi_parametric=semi_parametric, seed=seed)
    return (ShrinkageMI if test == "shrinkage" else G2)(dataset, dof=dof, rows_per_cell=rows_per_cell)


def _taken(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of the test, taken out of those of the learner."""
    return {name: settings.pop(name) for name in ("test", "dof", "rows_per_cell") if name in settings}


def _run_pc(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return pc(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_ppc(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return ppc(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_path(dataset: Dataset, *, seed, score="bic", ess=1.0, **settings) -> LearnResult:
    test = _taken(settings)
    return path(ci_test_for(dataset, seed=seed, **test), score_for(dataset, score=score, ess=ess), **settings)


def _run_phgs(dataset: Dataset, *, seed, score="bic", ess=1.0, **settings) -> LearnResult:
    test = _taken(settings)
    return phgs(ci_test_for(dataset, seed=seed, **test), score_for(dataset, score=score, ess=ess), **settings)


def _estimate_path(dataset: Dataset, *, max_cond_size, **settings) -> float:
    test = _taken(settings)
    return seconds_of_tests(ci_test_for(dataset, **test), max_cond_size)


def _estimate_pc(dataset: Dataset, *, alpha, max_cond_size, **test) -> float:  # noqa: ARG001
    return seconds_of_tests(ci_test_for(dataset, **test), max_cond_size)


def score_for(dataset: Dataset, *, score: str = "bic", ess: float = 1.0, penalty: float = 1.0) -> FamilyScore:
    """The score that fits the kind of data: Gaussian BIC for numbers, the one asked for else, on merged rows if few."""
    if dataset.kind == "continuous":
        return GaussianBIC(dataset, penalty=penalty)
    dataset = dataset.compact()
    return BIC(dataset, penalty=penalty) if score == "bic" else BDeu(dataset, ess=ess)


def _run_hc(dataset: Dataset, *, score="bic", ess=1.0, **search) -> LearnResult:
    return hc(score_for(dataset, score=score, ess=ess), **search)


def _run_tabu(dataset: Dataset, *, seed, score="bic", ess=1.0, **search) -> LearnResult:  # noqa: ARG001
    return tabu(score_for(dataset, score=score, ess=ess), **search)


def _estimate_hc(dataset: Dataset, *, max_parents, restarts, perturbations, ties, **score) -> float:  # noqa: ARG001
    return seconds_of_search(score_for(dataset, **score), further_moves=2 * restarts * perturbations)


def _estimate_tabu(dataset: Dataset, *, tabu_length, patience, max_parents, ties, **score) -> float:  # noqa: ARG001
    return seconds_of_search(score_for(dataset, **score), further_moves=patience)


def _run_rai(dataset: Dataset, *, seed, dof="plain", cut="alpha", **settings) -> LearnResult:  # noqa: ARG001
    return rai(ci_test_for(dataset, dof=dof), cut=cut, **settings)


def _estimate_rai(dataset: Dataset, *, max_cond_size, dof="plain", **settings) -> float:  # noqa: ARG001
    return seconds_of_tests(ci_test_for(dataset, dof=dof), max_cond_size)


def _run_brai(dataset: Dataset, *, dof, ess, **settings) -> LearnResult:
    return brai(G2(dataset, dof=dof), score_for(dataset, score="bdeu", ess=ess), **settings)


def _estimate_brai(dataset: Dataset, *, s, max_cond_size, dof, **settings) -> float:  # noqa: ARG001
    return (1 + s + s * s) * _estimate_rai(dataset, max_cond_size=max_cond_size, dof=dof)


def _run_ges(dataset: Dataset, *, seed, max_parents, knowledge, tick, **score) -> LearnResult:  # noqa: ARG001
    return ges(score_for(dataset, **score), max_parents=max_parents, knowledge=knowledge, tick=tick)


def _estimate_ges(dataset: Dataset, *, max_parents, **score) -> float:  # noqa: ARG001
    return seconds_of_search(score_for(dataset, **score))


def _run_arges(dataset: Dataset, *, seed, score="bic", ess=1.0, penalty=1.0, **settings) -> LearnResult:
    test = ci_test_for(dataset, seed=seed, **_taken(settings))
    return arges(test, score_for(dataset, score=score, ess=ess, penalty=penalty), **settings)


def _estimate_arges(dataset: Dataset, *, penalty, **settings) -> float:  # noqa: ARG001
    return _estimate_mmhc(dataset, patience=0, **settings)


def _run_lmm(dataset: Dataset, *, prior, **settings) -> LearnResult:
    return lmm(DependencePosterior(dataset, prior=prior), **settings)


def _estimate_lmm(dataset: Dataset, *, max_size, gamma, **settings) -> float:  # noqa: ARG001
    return seconds_of_lmm(dataset.p, max_size, gamma)


def _run_mmpc(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return mmpc(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_mmhc(dataset: Dataset, *, seed, score="bic", ess=1.0, **settings) -> LearnResult:
    test = _taken(settings)
    return mmhc(ci_test_for(dataset, seed=seed, **test), score_for(dataset, score=score, ess=ess), **settings)


def _estimate_mmhc(dataset: Dataset, *, max_cond_size, patience, score="bic", ess=1.0, **settings) -> float:
    test = _taken(settings)
    search = seconds_of_search(score_for(dataset, score=score, ess=ess), further_moves=patience)
    return seconds_of_tests(ci_test_for(dataset, **test), max_cond_size) + search


def _run_fast_iamb(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return fast_iamb(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_si_hiton_pc(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return si_hiton_pc(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_gsc(dataset: Dataset, *, score="bic", ess=1.0, **settings) -> LearnResult:
    test = ci_test_for(dataset, seed=settings["seed"], **_taken(settings))
    return gsc(test, score_for(dataset, score=score, ess=ess), **settings)


def _estimate_fast_iamb(dataset: Dataset, *, alpha, max_cond_size, **test) -> float:  # noqa: ARG001
    ci_test = ci_test_for(dataset, **test)
    return seconds_of_tests(ci_test, max_cond_size) + seconds_of_blankets(ci_test)


def _estimate_gsc(dataset: Dataset, *, skeleton, patience, restarts, perturbations, **settings) -> float:
    seconds = _estimate_mmhc(dataset, patience=patience + restarts * (2 * perturbations + patience), **settings)
    if skeleton != "fast_iamb":
        return seconds
    return seconds + seconds_of_blankets(ci_test_for(dataset, **_taken(settings)))


def _run_hpc(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return hpc(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_hpc_target(dataset: Dataset, *, seed, **settings) -> LearnResult:
    return hpc_target(ci_test_for(dataset, seed=seed, **_taken(settings)), **settings)


def _run_h2pc(dataset: Dataset, *, seed, score="bic", ess=1.0, **settings) -> LearnResult:
    test = _taken(settings)
    return h2pc(ci_test_for(dataset, seed=seed, **test), score_for(dataset, score=score, ess=ess), **settings)


def _estimate_hpc(dataset: Dataset, *, max_cond_size, **settings) -> float:
    return HPC_MORE * seconds_of_tests(ci_test_for(dataset, **_taken(settings)), max_cond_size)


def _estimate_hpc_target(dataset: Dataset, **settings) -> float:
    return 2.0 * _estimate_hpc(dataset, **settings) / dataset.p


def _estimate_h2pc(dataset: Dataset, *, max_cond_size, patience, score="bic", ess=1.0, **settings) -> float:
    search = seconds_of_search(score_for(dataset, score=score, ess=ess), further_moves=patience)
    return _estimate_hpc(dataset, max_cond_size=max_cond_size, **settings) + search


def _run_cimap(dataset: Dataset, *, seed, dof, **settings) -> LearnResult:  # noqa: ARG001
    return cimap(MutualInformation(dataset, dof=dof), **settings)


def _estimate_cimap(dataset: Dataset, *, max_cond_size, dof, **settings) -> float:  # noqa: ARG001
    return seconds_of_tests(MutualInformation(dataset, dof=dof, threads=1), max_cond_size)


def _run_pc_mi(dataset: Dataset, *, seed, **settings) -> LearnResult:  # noqa: ARG001
    return pc_mi(MutualInformation(dataset), **settings)


def _estimate_pc_mi(dataset: Dataset, *, max_cond_size, **settings) -> float:  # noqa: ARG001
    return seconds_of_tests(MutualInformation(dataset, threads=1), max_cond_size)


def _run_aracne(dataset: Dataset, *, seed, dof, **settings) -> LearnResult:  # noqa: ARG001
    return aracne(MutualInformation(dataset, dof=dof), **settings)


def _estimate_aracne(dataset: Dataset, **settings) -> float:  # noqa: ARG001
    return seconds_of_tests(MutualInformation(dataset), 0)


def _run_sca(dataset: Dataset, *, seed, score="bic", ess=1.0, **search) -> LearnResult:  # noqa: ARG001
    return sca(score_for(dataset, score=score, ess=ess), **search)


def _estimate_sca(dataset: Dataset, *, n_candidates, max_rounds, ties, **score) -> float:  # noqa: ARG001
    return 2.0 * seconds_of_search(score_for(dataset, **score))  # candidates are chosen by about as many families


LEARNERS: dict[str, Learner] = {
    learner.key: learner
    for learner in (
        Learner(
            key="pc",
            label="PC-stable",
            summary="Starts with every pair joined and removes each edge that some test of independence explains away.",
            paper="Colombo and Maathuis (2014), after Spirtes, Glymour and Scheines (2000)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(ALPHA, MAX_COND_SIZE, TEST, DOF, ROWS_PER_CELL),
            run=_run_pc,
            estimate=_estimate_pc,
        ),
        Learner(
            key="ppc",
            label="pPC",
            summary="Tests inside clusters of variables that tell much of one another, then between the clusters.",
            paper="Huang and Zhou (2022)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(ALPHA, PARTITIONED_COND_SIZE, TEST, DOF, ROWS_PER_CELL),
            run=_run_ppc,
            estimate=_estimate_pc,
        ),
        Learner(
            key="path",
            label="PATH",
            summary="Cuts the evidence of one run of pPC at ever stricter levels and keeps the best scored graph.",
            paper="Huang and Zhou (2022)",
            family="hybrid",
            kinds=("categorical", "continuous"),
            parameters=(
                PATH_ALPHA,
                TAU,
                ALPHA_MIN,
                PARTITIONED_COND_SIZE,
                PATH_SKELETON,
                TEST,
                DOF,
                ROWS_PER_CELL,
                SCORE,
                ESS,
            ),
            run=_run_path,
            estimate=_estimate_path,
            orders=(Below("alpha_min", "alpha"),),
        ),
        Learner(
            key="rai",
            label="RAI",
            summary="Tests given ever larger sets, and between levels splits the graph into groups that go on alone.",
            paper="Yehezkel and Lerner (2009)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(RAI_CUT, RAI_ALPHA, C1_FACTOR, MI_BITS, POOLS, COLLIDER_CHECK, RAI_COND_SIZE, RAI_DOF),
            run=_run_rai,
            estimate=_estimate_rai,
        ),
        Learner(
            key="brai",
            label="B-RAI",
            summary="Refines every group that RAI finds on several resamples: a tree of graphs to average over.",
            paper="Rohekar, Gurwicz, Nisimov, Koren and Novik (2018)",
            family="hybrid",
            kinds=("categorical",),
            parameters=(
                RESAMPLES,
                TEMPERATURE,
                N_CLASSES,
                BRAI_ESS,
                RAI_CUT,
                BRAI_ALPHA,
                C1_FACTOR,
                RESAMPLE_FACTOR,
                MI_BITS,
                BRAI_POOLS,
                BRAI_COLLIDER_CHECK,
                BRAI_COND_SIZE,
                RAI_DOF,
            ),
            run=_run_brai,
            estimate=_estimate_brai,
        ),
        Learner(
            key="hc",
            label="Hill climbing",
            summary="Starts without edges and makes, over and over, the change of one edge that raises the score most.",
            paper="Heckerman, Geiger and Chickering (1995)",
            family="score-based",
            kinds=("categorical", "continuous"),
            parameters=(SCORE, ESS, MAX_PARENTS, RESTARTS, PERTURBATIONS, TIES),
            run=_run_hc,
            estimate=_estimate_hc,
        ),
        Learner(
            key="tabu",
            label="Tabu search",
            summary="Climbs like hill climbing, then goes on downhill to new graphs and keeps the best it met.",
            paper="Bouckaert (1995), after Glover (1989)",
            family="score-based",
            kinds=("categorical", "continuous"),
            parameters=(SCORE, ESS, MAX_PARENTS, TABU_LENGTH, PATIENCE, TIES),
            run=_run_tabu,
            estimate=_estimate_tabu,
        ),
        Learner(
            key="ges",
            label="GES",
            summary="Adds edges to a whole class of equivalent graphs while the score rises, then takes edges out.",
            paper="Chickering (2002)",
            family="score-based",
            kinds=("categorical", "continuous"),
            parameters=(SCORE, ESS, PENALTY, MAX_PARENTS),
            run=_run_ges,
            estimate=_estimate_ges,
        ),
        Learner(
            key="arges",
            label="ARGES",
            summary="GES that joins a pair only if tests say so or if the edge shields a triple, from a greedy start.",
            paper="Nandy, Hauser and Maathuis (2018); Huang and Zhou (2022), appendix D.2",
            family="hybrid",
            kinds=("categorical", "continuous"),
            parameters=(
                RESTRICTION,
                START,
                ARGES_ALPHA,
                CANDIDATE_COND_SIZE,
                TEST,
                DOF,
                ROWS_PER_CELL,
                SCORE,
                ESS,
                PENALTY,
                MAX_PARENTS,
            ),
            run=_run_arges,
            estimate=_estimate_arges,
        ),
        Learner(
            key="lmm",
            label="LMM",
            summary="Ranks edges by how surely neither end can explain them away; the weakest leave one by one.",
            paper="Mahdi and Mezey (2013)",
            family="constraint-based",
            kinds=("continuous",),
            parameters=(
                OMEGA,
                GAMMA,
                MAX_SIZE,
                MIN_SIZE,
                LMM_COND_SIZE,
                OPT_EVERY,
                COOLDOWN,
                PRIOR,
                CRITERION,
                ORIENTATION,
            ),
            run=_run_lmm,
            estimate=_estimate_lmm,
            ways=LMM_WAYS,
        ),
        Learner(
            key="cimap",
            label="CImap",
            summary="Tests like PC, but the weakest edges first, and watches over false negatives and false edges.",
            paper="Bacciu, Etchells, Lisboa and Whittaker (2013)",
            family="constraint-based",
            kinds=("categorical",),
            parameters=(
                PRESET,
                INFORMATION_ALPHA,
                INFORMATION_COND_SIZE,
                CUT,
                INFORMATION_TEST,
                TWF,
                FNR,
                FDR,
                Q,
                FDR_METHOD,
                LITERAL,
                BETA,
                EFFECT,
                SCALE,
                PLAIN_DOF,
                ORIENT,
            ),
            run=_run_cimap,
            estimate=_estimate_cimap,
        ),
        Learner(
            key="pc_mi",
            label="PC-MI",
            summary="PC-stable with a cut of the mutual information in place of a test.",
            paper="Bacciu, Etchells, Lisboa and Whittaker (2013), after Cheng et al. (2002)",
            family="constraint-based",
            kinds=("categorical",),
            parameters=(MI_CUT, INFORMATION_COND_SIZE, ORIENT),
            run=_run_pc_mi,
            estimate=_estimate_pc_mi,
        ),
        Learner(
            key="aracne",
            label="ARACNE",
            summary="Joins pairs that share information and drops the weakest edge of every triangle; no directions.",
            paper="Margolin et al. (2006)",
            family="constraint-based",
            kinds=("categorical",),
            parameters=(INFORMATION_ALPHA, TOLERANCE, ARACNE_TEST, ARACNE_CUT, PLAIN_DOF),
            run=_run_aracne,
            estimate=_estimate_aracne,
        ),
        Learner(
            key="sca",
            label="Sparse candidate",
            summary="Chooses a few candidate parents for every variable, climbs within them, and chooses again.",
            paper="Friedman, Nachman and Pe'er (1999)",
            family="score-based",
            kinds=("categorical", "continuous"),
            parameters=(N_CANDIDATES, MAX_ROUNDS, SCORE, ESS, TIES),
            run=_run_sca,
            estimate=_estimate_sca,
        ),
        Learner(
            key="mmpc",
            label="MMPC (MaxMin)",
            summary="Lets each variable choose neighbours, the strongest first, and joins those that chose each other.",
            paper="Tsamardinos, Brown and Aliferis (2006)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(ALPHA, MAX_COND_SIZE, TEST, DOF, RULE_OF_FIVE),
            run=_run_mmpc,
            estimate=_estimate_pc,
        ),
        Learner(
            key="fast_iamb",
            label="Fast-IAMB",
            summary="Grows a Markov blanket around each variable in leaps and joins what no set within it separates.",
            paper="Yaramakala and Margaritis (2005), after Tsamardinos, Aliferis and Statnikov (2003)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(ALPHA, BLANKET_COND_SIZE, TEST, DOF, RULE_OF_FIVE),
            run=_run_fast_iamb,
            estimate=_estimate_fast_iamb,
        ),
        Learner(
            key="si_hiton_pc",
            label="SI-HITON-PC",
            summary="Lets each variable take others, the strongest link first, unless those taken before explain it.",
            paper="Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(ALPHA, MAX_COND_SIZE, TEST, DOF, RULE_OF_FIVE),
            run=_run_si_hiton_pc,
            estimate=_estimate_pc,
        ),
        Learner(
            key="mmhc",
            label="MMHC",
            summary="Lets tests say which pairs may be joined, then climbs by tabu search within those.",
            paper="Tsamardinos, Brown and Aliferis (2006)",
            family="hybrid",
            kinds=("categorical", "continuous"),
            parameters=(
                ALPHA,
                MAX_COND_SIZE,
                TEST,
                DOF,
                RULE_OF_FIVE,
                BDEU,
                ESS_OF_TEN,
                MAX_PARENTS,
                TABU_LENGTH,
                HYBRID_PATIENCE,
                TIES,
            ),
            run=_run_mmhc,
            estimate=_estimate_mmhc,
        ),
        Learner(
            key="phgs",
            label="pHGS",
            summary="Lets pPC say which pairs may be joined, starts from its best oriented cut, and goes on by score.",
            paper="Huang and Zhou (2022)",
            family="hybrid",
            kinds=("categorical", "continuous"),
            parameters=(
                ALPHA,
                TAU,
                ALPHA_MIN,
                PARTITIONED_COND_SIZE,
                TEST,
                DOF,
                ROWS_PER_CELL,
                SCORE,
                ESS,
                MAX_PARENTS,
                TABU_LENGTH,
                PATIENCE,
                TIES,
            ),
            run=_run_phgs,
            estimate=_estimate_mmhc,
            orders=(Below("alpha_min", "alpha"),),
        ),
        Learner(
            key="gsc",
            label="Sparse candidates (GSC)",
            summary="Lets tests of your choice say which pairs may be joined, then climbs from a greedy start or none.",
            paper="Huang and Zhou (2022), after Friedman, Nachman and Pe'er (1999)",
            family="hybrid",
            kinds=("categorical", "continuous"),
            parameters=(
                SKELETON,
                START,
                ALPHA,
                CANDIDATE_COND_SIZE,
                TEST,
                DOF,
                ROWS_PER_CELL,
                SCORE,
                ESS,
                MAX_PARENTS,
                TABU_LENGTH,
                PATIENCE,
                RESTARTS,
                PERTURBATIONS,
                TIES,
            ),
            run=_run_gsc,
            estimate=_estimate_gsc,
        ),
        Learner(
            key="hpc",
            label="HPC",
            summary="Finds the Markov blanket of each variable in a small superset, and forgives misses of one end.",
            paper="Gasse, Aussem and Elghazel (2012)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(ALPHA, HPC_COND_SIZE, UNRELIABLE, PC_METHOD, TEST, DOF, RULE_OF_FIVE),
            run=_run_hpc,
            estimate=_estimate_hpc,
        ),
        Learner(
            key="hpc_target",
            label="HPC of one variable",
            summary="Finds the parents and children of one variable, and its Markov blanket.",
            paper="Gasse, Aussem and Elghazel (2012)",
            family="constraint-based",
            kinds=("categorical", "continuous"),
            parameters=(TARGET, ALPHA, HPC_COND_SIZE, UNRELIABLE, PC_METHOD, TEST, DOF, RULE_OF_FIVE),
            run=_run_hpc_target,
            estimate=_estimate_hpc_target,
        ),
        Learner(
            key="h2pc",
            label="H2PC",
            summary="Lets HPC say which pairs may be joined, then climbs by tabu search within those.",
            paper="Gasse, Aussem and Elghazel (2012)",
            family="hybrid",
            kinds=("categorical", "continuous"),
            parameters=(
                ALPHA,
                HPC_COND_SIZE,
                UNRELIABLE,
                PC_METHOD,
                TEST,
                DOF,
                RULE_OF_FIVE,
                BDEU,
                ESS_OF_TEN,
                MAX_PARENTS,
                TABU_LENGTH,
                HYBRID_PATIENCE,
                TIES,
            ),
            run=_run_h2pc,
            estimate=_estimate_h2pc,
        ),
    )
}


def _run_bootstrap(dataset: Dataset, *, base, knowledge, seed, score="bic", ess=1.0, **settings) -> LearnResult:
    def one(resample: Dataset, t: int, tick: Tick) -> LearnResult:
        return learn(base, resample, knowledge=knowledge, tick=tick, seed=seed + t)

    return bootstrap(dataset, score_for(dataset, score=score, ess=ess), one, seed=seed, **settings)


def _estimate_bootstrap(dataset: Dataset, *, base, n_resamples, **settings) -> float:  # noqa: ARG001
    if dataset.kind not in LEARNERS[base].kinds:
        return 0.0
    return n_resamples * LEARNERS[base].estimate(dataset, **LEARNERS[base].checked(dataset.kind, {}))


LEARNERS["bootstrap"] = Learner(
    key="bootstrap",
    label="Bootstrap",
    summary="Runs another learner on many resamples of the rows, and tells how often each kind of edge came up.",
    paper="Friedman, Goldszmidt and Wyner (1999)",
    family="hybrid",
    kinds=("categorical", "continuous"),
    parameters=(
        Parameter(
            "base",
            "Learner repeated",
            default="mmhc",
            choices=tuple(LEARNERS),
            help="What runs on each resample, with its own defaults.",
            up="",
            down="",
            source="mmhc: the comparison of Rohekar et al. (2018)",
        ),
        N_RESAMPLES,
        FREQUENT,
        SHARE,
        SCORE,
        ESS,
    ),
    run=_run_bootstrap,
    estimate=_estimate_bootstrap,
)
