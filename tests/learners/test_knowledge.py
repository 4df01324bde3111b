"""Tests that every result agrees with its background knowledge, and that true knowledge makes no result worse.

With a d-separation oracle a constraint-based learner returns the CPDAG of the true DAG; with true knowledge as well it
returns that CPDAG with the known directions and all that they imply (Meek 1995, section 3).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import (
    LEARNERS,
    PDAG,
    Dataset,
    DSeparation,
    Knowledge,
    cpdag,
    learn,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.evaluation.metrics import shd
from learners.families.brai.rai import rai
from learners.families.cimap.cimap import cimap
from learners.families.cimap.pc_mi import pc_mi
from learners.families.constraint_based.fast_iamb import fast_iamb
from learners.families.constraint_based.gs import gs
from learners.families.constraint_based.pc import pc
from learners.families.constraint_based.si_hiton_pc import si_hiton_pc
from learners.families.phgs.ppc import ppc
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.meek_closure import closure
from learners.graphs.pag import ARROW, PAG
from learners.independence import InformationOracle
from learners.results.directions import Support
from tests.references import FOLDER

WITH_ORACLE = {
    "pc": lambda dag, known: pc(DSeparation(dag), max_cond_size=None, knowledge=known),
    "pc with collider check": lambda dag, known: pc(
        DSeparation(dag), max_cond_size=None, collider_check="dependent", knowledge=known
    ),
    "ppc": lambda dag, known: ppc(
        DSeparation(dag), max_cond_size=max(dag.p, 1), labels=[k % 2 for k in range(dag.p)], knowledge=known
    ),
    "gs": lambda dag, known: gs(DSeparation(dag), max_cond_size=None, knowledge=known),
    "fast_iamb": lambda dag, known: fast_iamb(DSeparation(dag), max_cond_size=None, knowledge=known),
    "si_hiton_pc": lambda dag, known: si_hiton_pc(DSeparation(dag), max_cond_size=None, knowledge=known),
    "rai": lambda dag, known: rai(DSeparation(dag), knowledge=known),
    "pc_mi": lambda dag, known: pc_mi(InformationOracle(dag), max_cond_size=None, knowledge=known),
}


def random_case(seed: int) -> tuple[PDAG, Knowledge]:
    """Return a random DAG of 3 to 8 nodes and true knowledge: forbidden pairs, and sometimes required edges."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(3, 9))
    order = rng.permutation(p)
    amat = np.triu(rng.random((p, p)) < rng.uniform(0.2, 0.6), 1)[np.ix_(order, order)]
    share, forbidden = rng.choice([0.3, 0.7, 1.0]), []
    for i, j in np.argwhere(np.triu(~(amat | amat.T), 1)).tolist():
        if rng.random() < share:
            forbidden += [(str(i), str(j)), (str(j), str(i))]
    required = [(str(i), str(j)) for i, j in np.argwhere(amat).tolist() if rng.random() < 0.1]
    return PDAG(amat), Knowledge(required=required, forbidden=forbidden)


def implied(dag: PDAG, known: Knowledge) -> PDAG:
    """Return the CPDAG with the known directions and their implications."""
    amat = cpdag(dag).amat.copy()
    directions = known.bind([str(k) for k in range(dag.p)]).directions
    amat[(directions & amat & amat.T).T] = False
    return closure(PDAG(amat))


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("learner", WITH_ORACLE)
def test_true_knowledge_keeps_the_graph_of_the_oracle(learner):
    for seed in range(40):
        dag, known = random_case(seed)
        assert WITH_ORACLE[learner](dag, known).graph == implied(dag, known), seed


@pytest.mark.deep
@pytest.mark.parametrize("learner", WITH_ORACLE)
def test_true_knowledge_keeps_the_graph_of_the_oracle_on_many_dags(learner):
    for seed in range(1_000, 1_400):
        dag, known = random_case(seed)
        assert WITH_ORACLE[learner](dag, known).graph == implied(dag, known), seed


def test_true_knowledge_never_raises_the_shd_of_cimap():
    """True knowledge never raises the SHD of CImap, whose graph need not be the CPDAG even with an oracle."""
    for seed in range(60):
        dag, known = random_case(seed)
        oracle = InformationOracle(dag)
        forbidden = Knowledge(forbidden=known.forbidden)
        alone, helped = cimap(oracle).graph, cimap(InformationOracle(dag), knowledge=forbidden).graph
        assert shd(helped, cpdag(dag)) <= shd(alone, cpdag(dag)), seed


def test_a_forbidden_pair_is_tested_only_for_its_v_structure():
    """0 -> 2 <- 1 keeps its arrows when 0 - 1 is forbidden; without a common neighbour there is no test."""
    apart = Knowledge(forbidden=[("0", "1"), ("1", "0")])
    collider = pc(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)])), knowledge=apart)
    assert collider.graph == PDAG.from_edges(3, directed=[(0, 2), (1, 2)])
    assert collider.sepsets.between(0, 1) == ()
    lonely = pc(DSeparation(PDAG.from_edges(3, directed=[(0, 2)])), knowledge=apart)
    assert lonely.sepsets.between(0, 1) is None


# --- any knowledge on any table -------------------------------------------------------------------------------------


def random_table(kind: str, seed: int) -> Dataset:
    """Return 150 rows of 6 dependent columns."""
    if kind == "mixed":
        return sample(random_mixed_network(6, 12, seed, categorical=0.5), 150, seed=seed)
    numbers = sample(random_gaussian_network(6, 12, seed=seed), 150, seed=seed)
    if kind == "continuous":
        return numbers
    levels = [(x > np.median(x)).astype(int) + (x > np.quantile(x, 0.8)) for x in numbers.values.T]
    return Dataset.from_codes(np.array(levels), [3] * 6, numbers.names)


def random_knowledge(names: tuple[str, ...], seed: int) -> Knowledge:
    """Return knowledge without contradictions, with which the data may disagree."""
    rng = np.random.default_rng([seed, 3])
    order, required, forbidden = rng.permutation(len(names)).tolist(), [], []
    for i, j in zip(*np.triu_indices(len(names), 1), strict=True):
        earlier, later, u = names[order[i]], names[order[j]], rng.random()
        if u < 0.12:
            required.append((earlier, later))
        elif u < 0.4:
            forbidden.append((later, earlier))
            if u < 0.3:
                forbidden.append((earlier, later))
    half = len(names) // 2
    tiers = {names[k]: int(t >= half) for t, k in enumerate(order)} if seed % 3 == 0 else {}
    return Knowledge(required, forbidden, tiers)


def check_that_knowledge_holds(key: str, dataset: Dataset, known: Knowledge, seed: int) -> None:
    """Check that the graph and the probabilities of a run agree with its knowledge."""
    fewer = {"n_resamples": 5} if key == "bootstrap" else {}
    result, bound = learn(key, dataset, knowledge=known, seed=seed, **fewer), known.bind(dataset.names)
    amat = result.graph.amat
    assert not (bound.required & (~amat | amat.T)).any(), "a required edge is lost"
    assert not (bound.excluded & amat & ~amat.T).any(), "an excluded arrow is there"
    assert not (bound.apart & amat).any(), "a forbidden pair is adjacent"
    if isinstance(result.graph, PAG):  # an arrowhead excludes a cause, but not a hidden common one
        assert (result.graph.marks[bound.directions & amat] == ARROW).all() or result.warnings, (
            "an arrowhead is missing"
        )
        return
    assert not (bound.directions & amat & amat.T).any(), "a known direction is open"
    if result.graph.directed_edges() or result.kind not in ("skeleton", "hpc", "hpc_target", "aracne"):
        assert consistent_extension(result.graph).valid or result.warnings, "no DAG fits, and nothing says so"
    if result.posterior is not None:
        adjacent = np.asarray(result.posterior.adjacent)
        assert (adjacent[bound.joined] > 1.0 - 1e-9).all()
        assert (adjacent[bound.apart] < 1e-9).all()
    given = [(i, j) for i, j in result.directions if result.excludes(j, i)]
    assert {result.directions[arrow].support for arrow in given} <= {Support.KNOWN, Support.DETERMINED}


def learners_and_kinds() -> list[tuple[str, str]]:
    """Return each learner with each column type that it supports."""
    return [(key, kind) for key, learner in LEARNERS.items() for kind in learner.kinds]


@pytest.mark.parametrize(("key", "kind"), learners_and_kinds())
def test_every_result_holds_its_knowledge(key, kind):
    dataset = random_table(kind, 6)
    check_that_knowledge_holds(key, dataset, random_knowledge(dataset.names, 6), 6)


@pytest.mark.deep
@pytest.mark.parametrize(("key", "kind"), learners_and_kinds())
def test_every_result_holds_any_knowledge(key, kind):
    for seed in range(100, 130):
        dataset = random_table(kind, seed)
        check_that_knowledge_holds(key, dataset, random_knowledge(dataset.names, seed), seed)


@pytest.mark.parametrize("seed", range(3))
def test_brai_keeps_a_required_edge_where_its_tests_contradict_one_another(seed):
    """The tests leave the cycle B - C - D - E - B, which fits no DAG; the scored DAG keeps E -> B."""
    dataset = Dataset.from_frame(pd.read_csv(FOLDER / "data/ring_n1500.csv.gz", dtype=str))
    result = learn("brai", dataset, knowledge=Knowledge(required=[("E", "B")]), seed=seed)
    e, b = dataset.index("E"), dataset.index("B")
    assert result.graph.amat[e, b]
    assert not result.graph.amat[b, e]
