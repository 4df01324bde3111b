"""Tests of the check of v-structures: a d-separation oracle, a reference implementation, its purpose, its events."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from learners import G2, PDAG, Dataset, DSeparation, FisherZ, LearnResult, MutualInformation, pc, pc_mi, ppc
from learners.families.cimap.cimap import cimap
from learners.graphs.rules import OF_MIDDLES, Rule
from learners.independence import InformationOracle
from learners.results.events import Action
from learners.search.v_structures import ranked_v_structures
from tests import naive, references
from tests.cancelling import cut_short

ROWS = 20_000


def noisy_copy(rng: np.random.Generator, column: np.ndarray, flips: float) -> np.ndarray:
    return np.where(rng.random(len(column)) < flips, 1 - column, column)


def chain() -> Dataset:
    """Return a sample of a -> b -> c: neighbours share about 66 mbit, a and c about 6 mbit."""
    rng = np.random.default_rng(7)
    a = rng.integers(0, 2, ROWS)
    b = noisy_copy(rng, a, 0.35)
    return Dataset.from_codes([a, b, noisy_copy(rng, b, 0.35)], [2, 2, 2], list("abc"))


def collider() -> Dataset:
    """Return a sample of a -> b <- c."""
    rng = np.random.default_rng(8)
    a, c = rng.integers(0, 2, (2, ROWS))
    return Dataset.from_codes([a, noisy_copy(rng, a | c, 0.1), c], [2, 2, 2], list("abc"))


def with_cut(key: str, data: Dataset, **options: object) -> LearnResult:
    test = MutualInformation(data)
    return pc_mi(test, **options) if key == "pc_mi" else cimap(test, preset=key, **options)


@pytest.mark.parametrize("key", ["pc_mi", "MI1", "MI2", "PN1"])
def test_a_chain_whose_ends_are_weaker_than_the_cut_is_no_v_structure(key):
    """The check refuses the false v-structure of a chain whose ends share less than the cut."""
    checked, plain = with_cut(key, chain()), with_cut(key, chain(), collider_check="off")
    assert plain.graph == PDAG.from_edges(3, directed=[(0, 1), (2, 1)])
    assert checked.graph == PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])
    events = [event for event in checked.trace.of_pair(0, 2) if event.rule in OF_MIDDLES]
    assert [event.action for event in events] == [Action.REFUSE]
    assert events[0].cond == (1,)
    assert checked.n_tests == plain.n_tests + 1 == checked.trace.n_tests.sum()


@pytest.mark.parametrize("key", ["pc_mi", "MI1", "MI2", "PN1", "P-1"])
def test_a_v_structure_passes_the_check(key):
    """A true v-structure passes the check, which the trace gives as the rule of its arrows."""
    result = with_cut(key, collider())
    assert result.graph == PDAG.from_edges(3, directed=[(0, 1), (2, 1)])
    assert {e.rule for e in result.trace if e.action == Action.ORIENT} == {Rule.CHECKED_V_STRUCTURE}


def test_a_dependence_below_the_cut_does_not_pass():
    """A dependence below the cut is refused; the event has mbit as its statistic and the cut as its threshold."""
    data = chain()
    # The middle is a noisy copy of b, so a and c stay slightly dependent given any set.
    codes = [data.codes[0], noisy_copy(np.random.default_rng(9), data.codes[1], 0.1), data.codes[2]]
    result = pc_mi(MutualInformation(Dataset.from_codes(codes, [2, 2, 2], list("abc"))))
    (event,) = (event for event in result.trace.of_pair(0, 2) if event.rule in OF_MIDDLES)
    assert (event.rule, event.action, event.threshold) == (Rule.CHECKED_CUT, Action.REFUSE, 10.0)
    assert event.log_p <= math.log(0.05)
    assert 0 < event.statistic < 10.0


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("seed", range(40))
def test_with_the_oracle_the_check_refuses_no_v_structure(seed):
    """All learners with the check find the true CPDAG of 40 DAGs of 4 to 8 nodes."""
    rng = np.random.default_rng([seed, 31])
    p = int(rng.integers(4, 9))
    dag = naive.random_dag(rng, p, min(int(rng.uniform(0.8, 1.8) * p), p * (p - 1) // 2))
    truth, labels = naive.cpdag(dag), [0] * p
    for result in (
        pc(DSeparation(PDAG(dag)), max_cond_size=None, collider_check="dependent"),
        ppc(DSeparation(PDAG(dag)), max_cond_size=p, labels=labels, collider_check="dependent"),
        cimap(InformationOracle(PDAG(dag)), max_cond_size=None),
        pc_mi(InformationOracle(PDAG(dag)), max_cond_size=None),
    ):
        assert np.array_equal(result.graph.amat, truth)
        assert not [event for event in result.trace if event.rule in OF_MIDDLES and event.action == Action.REFUSE]


@pytest.mark.parametrize(
    ("name", "test"), [("insurance_n1000", G2), ("asia_n2000", G2), ("gauss_p12_n500", FisherZ)], ids=str
)
def test_the_check_agrees_with_its_definition(name, test):
    """Each proposed v-structure is tested once given the separating set and its middle; those that pass are used."""
    data = references.dataset(name)
    plain, result = pc(test(data)), pc(test(data), collider_check="dependent")
    proposed = ranked_v_structures(PDAG(plain.graph.skeleton), plain.sepsets, plain.extra.log_phi).tolist()
    actual = {(e.i, e.cond[0], e.j): e for e in result.trace if e.rule is Rule.CHECKED}
    assert list(actual) == [tuple(triple) for triple in proposed]
    again = test(data)
    for (i, k, j), event in actual.items():
        cond = sorted((*plain.sepsets.between(i, j), k))
        found = again.test(i, j, cond)
        assert sorted(event.cond) == cond
        assert event.log_p == pytest.approx(found.log_p, rel=1e-12)
        assert event.statistic == pytest.approx(found.statistic, rel=1e-12)
        assert (event.action == Action.KEEP) == (found.log_p <= math.log(0.05))
    for event in result.trace:
        if event.rule is Rule.CHECKED_V_STRUCTURE and event.action == Action.ORIENT:
            ends = tuple(sorted((event.i, event.cond[0])))
            assert actual[ends[0], event.j, ends[1]].action == Action.KEEP
    assert result.n_tests == plain.n_tests + len(proposed) == result.trace.n_tests.sum()
    for pair in combinations(range(data.p), 2):
        assert result.sepsets.between(*pair) == plain.sepsets.between(*pair)


def test_a_check_cancelled_at_any_tick_records_the_tests_done():
    """If the check is cancelled, the trace has the tests done, and the graph is the skeleton."""
    dag = PDAG.from_edges(6, directed=[(0, 2), (1, 2), (2, 3), (4, 3), (1, 5)])
    tests = []

    def run(tick):
        tests.append(DSeparation(dag))
        return pc(tests[-1], collider_check="dependent", tick=tick)

    for result in cut_short(run):
        assert result.n_tests == tests[-1].n_tests == result.trace.n_tests.sum()


def test_column_order_does_not_matter_to_the_check():
    """Permuted columns give the permuted graph."""
    data = references.dataset("sachs_n1000")
    whole = pc(G2(data), collider_check="dependent").graph.amat
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(data.p).tolist()
        other = pc(G2(data.select(order)), collider_check="dependent").graph.amat
        assert np.array_equal(other, whole[np.ix_(order, order)])
