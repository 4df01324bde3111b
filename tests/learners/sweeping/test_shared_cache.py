"""Tests of the shared cache of a sweep: shared work is done once, and results equal those of independent runs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from learners import BIC, Dataset, learn, load_sample, sweep, sweep_two
from learners.families.cimap.twf_pc import InformationSearch
from learners.families.phgs.partitioned import PartitionedSearch
from learners.independence import information
from learners.independence.ci_cache import CIMemory
from learners.scores import score
from learners.scores.score import FitMemory
from learners.search.ges_search import equivalence_search
from learners.search.hill_climbing import greedy_search
from learners.sweeping import shared_cache
from tests.learners.test_column_order import check_same
from tests.learners.test_registry import sample

pytestmark = pytest.mark.compiled  # these tests do hundreds of runs

RULES = [0.0, *np.geomspace(0.05, 100.0, 29).tolist()]


@pytest.fixture
def memories(monkeypatch) -> Iterator[list[CIMemory]]:
    """Return the list of caches that are created during the test."""
    made = []

    class Kept(CIMemory):
        def __init__(self, p: int) -> None:
            super().__init__(p)
            made.append(self)

    monkeypatch.setattr(shared_cache, "CIMemory", Kept)
    return made


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", ["pc", "ppc"])
@pytest.mark.parametrize("dof", ["adjusted", "plain"])
def test_every_power_rule_is_a_single_run(key, dof):
    data = load_sample("asia").dataset
    for value, result in zip(RULES, sweep(key, data, "rows_per_cell", RULES, dof=dof).results, strict=True):
        check_same(result, learn(key, data, rows_per_cell=value, dof=dof))


@pytest.mark.parametrize("n", [400, 100])
def test_power_rules_on_the_line_are_single_runs(n):
    """Sweeps equal single runs if the rows exactly suffice for a table, or miss that by one floating-point step."""
    data = load_sample("asia").dataset
    few = Dataset.from_codes(data.codes[:, :n].astype(int), data.arity, data.names)
    lines = [n / cells for cells in (4, 8, 16, 32)]
    values = [value for line in lines for value in (line, math.nextafter(line, 0.0), math.nextafter(line, math.inf))]
    values = [value for value in values if value <= 100.0]
    for value, result in zip(values, sweep("pc", few, "rows_per_cell", values, alpha=0.2).results, strict=True):
        check_same(result, learn("pc", few, rows_per_cell=value, alpha=0.2))


@pytest.mark.parametrize("key", ["pc", "ppc"])
def test_levels_and_power_rules_together_are_single_runs(key):
    data, alphas, rules = load_sample("asia").dataset, [0.2, 0.01, 0.0101, 1e-4], [0.0, 5.0, 40.0, 41.0]
    found = sweep_two(key, data, "alpha", "rows_per_cell", alphas, rules).results
    for alpha, row in zip(alphas, found, strict=True):
        for rule, result in zip(rules, row, strict=True):
            check_same(result, learn(key, data, alpha=alpha, rows_per_cell=rule))


def test_a_power_rule_decides_and_no_statistic_is_counted_again(memories):
    data = load_sample("alarm").dataset
    results = sweep("pc", data, "rows_per_cell", RULES).results
    (memory,) = memories
    all_done = results[0].n_tests
    assert int(memory.tests().used[0]) < 1.5 * all_done < sum(result.n_tests for result in results) / 5


def test_power_rules_that_let_the_same_tests_be_done_have_one_run():
    data = load_sample("alarm").dataset
    results = sweep("pc", data, "rows_per_cell", RULES).results
    assert len({id(result.graph) for result in results}) < len(RULES)
    assert [result.params["rows_per_cell"] for result in results] == RULES


def test_levels_of_ppc_with_no_p_in_between_have_one_run():
    data, values = load_sample("asia").dataset, np.geomspace(1e-6, 0.5, 60).tolist()
    results = sweep("ppc", data, "alpha", values).results
    assert len({id(result.graph) for result in results}) < 40
    for value, result in list(zip(values, results, strict=True))[::7]:
        check_same(result, learn("ppc", data, alpha=value))


def test_set_searches_by_information_need_no_level(monkeypatch):
    """PC-MI, which cuts by bits, requests no level, except in the check of v-structures."""
    asked = []  # counts items, because the number of items per call depends on the clock
    walk, fill = information.separate_sequentially, information.fill_information

    def walking(sample: object, edges: object, begin: int, end: int, *given: object) -> None:
        asked.extend(range(begin, end))
        walk(sample, edges, begin, end, *given)

    def filling(sample: object, begin: int, end: int, *given: object) -> None:
        asked.extend(range(begin, end))
        fill(sample, begin, end, *given)

    monkeypatch.setattr(information, "separate_sequentially", walking)
    monkeypatch.setattr(information, "fill_information", filling)
    data = load_sample("asia").dataset
    learn("pc_mi", data, alpha=0.05)
    alone = len(asked)
    results = sweep("pc_mi", data, "alpha", [0.05, 0.01, 0.2, 1e-4]).results
    assert len(asked) <= 2 * alone
    for value, result in zip([0.05, 0.01, 0.2, 1e-4], results, strict=True):
        check_same(result, learn("pc_mi", data, alpha=value))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("hc", {}),
        ("hc", {"restarts": 2, "perturbations": 10, "ties": "both"}),
        ("hc", {"score": "bdeu", "ess": 100.0}),
        ("tabu", {"patience": 20}),
        ("ges", {}),
        ("ges", {"penalty": 0.3, "turning": True}),
        ("ges", {"penalty": 0.3, "turning": False}),
    ],
)
@pytest.mark.parametrize("values", [[None, 1, 2, 3, 4, 5, 6, 8, 12, 36], [12, 3, 2, 1, 5, 4, None, 11]])
def test_limits_on_parents_that_nothing_comes_to_have_one_run(key, params, values):
    data = load_sample("alarm").dataset
    results = sweep(key, data, "max_parents", values, **params).results
    for value, result in zip(values, results, strict=True):
        check_same(result, learn(key, data, max_parents=value, **params))
        assert result.params["max_parents"] == value
    assert len({id(result.graph) for result in results}) < len(values)


def test_a_search_reports_the_largest_number_of_parents_reached():
    """A limit above the recorded number of parents changes nothing; a lower limit is reached by some family."""
    data = load_sample("alarm").dataset
    for search, limits in ((greedy_search, range(1, 8)), (equivalence_search, range(1, 8))):
        free = BIC(data)
        whole = search(free).dag
        for most in limits:
            score = BIC(data)
            found = search(score, max_parents=most).dag
            if most > free.widest:
                assert (found, score.n_scores, score.widest) == (whole, free.n_scores, free.widest)
            else:
                assert score.widest >= most
        assert free.widest < 7
        assert free.emptied().widest is None


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("test", ["permutation", "shrinkage"])
def test_results_of_single_tests_are_not_reused_at_other_levels(test):
    """Results of tests done one by one, which give no interval of levels, are not reused at other levels."""
    data, values = sample("categorical", p=4, n=120), np.geomspace(1e-3, 0.9, 25).tolist()
    for value, result in zip(values, sweep("pc", data, "alpha", values, test=test).results, strict=True):
        check_same(result, learn("pc", data, alpha=value, test=test))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("key", "parameter", "values", "params"),
    [
        ("path", "tau", [2, 3, 5, 10, 20, 21], {}),
        ("path", "alpha_min", [0.0, 1e-8, 1e-3, 0.05], {}),
        ("phgs", "tau", [2, 10, 20], {}),
        ("cimap", "q", [1e-4, 0.01, 0.2], {"fdr": "sfdr"}),
        ("pc_mi", "alpha", [1e-4, 0.01, 0.2], {}),
        ("aracne", "tolerance", [0.0, 0.1, 0.5], {}),
    ],
)
def test_tests_that_a_parameter_does_not_change_are_done_once(monkeypatch, key, parameter, values, params):
    """One search serves all values of the parameter; v-structures are checked again if a value changes them."""
    searched = []
    for search in (PartitionedSearch, InformationSearch):
        run = "learn" if search is PartitionedSearch else "run"
        ordinary = getattr(search, run)
        monkeypatch.setattr(search, run, lambda own, *given, do=ordinary: (searched.append(own), do(own, *given))[1])
    data = load_sample("alarm").dataset
    results = sweep(key, data, parameter, values, **params).results
    assert len(searched) == 1
    for value, result in zip(values, results, strict=True):
        check_same(result, learn(key, data, **params, **{parameter: value}))


def test_levels_of_pc_mi_and_a_cut_in_mbit_are_not_taken_for_one_another():
    """A level of 0.05 and a cut of 0.05 mbit, which the trace both records as thresholds, are not confused."""
    data, values = load_sample("asia").dataset, [0.05, 0.049, 0.051, 0.2]
    results = sweep("pc_mi", data, "alpha", values, cut=0.05).results
    assert len({id(result.graph) for result in results}) < len(values)
    for value, result in zip(values, results, strict=True):
        check_same(result, learn("pc_mi", data, alpha=value, cut=0.05))
        assert result.extra.settings.alpha == value


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", ["ges", "boss"])
@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed"])
def test_fits_at_other_penalties_are_recalled(monkeypatch, key, kind):
    memories = []

    class Kept(FitMemory):
        def __init__(self, p: int) -> None:
            super().__init__(p)
            memories.append(self)

    monkeypatch.setattr(shared_cache, "FitMemory", Kept)
    data, values = sample(kind, p=7, n=300), [1.0, 0.5, 0.7, 0.9, 1.2, 1.5, 2.0, 3.0]
    results = sweep(key, data, "penalty", values).results
    (memory,) = memories
    counted = int(memory.fits().used[0])
    assert 0 < counted < sum(result.n_scores for result in results) / 2
    for value, result in zip(values, results, strict=True):
        check_same(result, learn(key, data, penalty=value))


def test_a_full_memory_of_fits_counts_again(monkeypatch):
    monkeypatch.setattr(score, "FIRST_FIT_SLOTS", 64)
    monkeypatch.setattr(score, "MAX_FIT_SLOTS", 64)
    data, values = load_sample("asia").dataset, [0.5, 1.0, 2.0]
    for value, result in zip(values, sweep("ges", data, "penalty", values).results, strict=True):
        check_same(result, learn("ges", data, penalty=value))
