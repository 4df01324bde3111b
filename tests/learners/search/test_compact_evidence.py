"""Tests of the memory that a search over all pairs of variables keeps."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import count as count_up
from itertools import pairwise

import numpy as np
import pytest

from learners import LEARNERS, Dataset, learn, load_network, random_gaussian_network, registry, sample
from learners.common import parallel, relabeling
from learners.common.progress import Stopped
from learners.data import determination
from learners.graphs.knowledge import bind
from learners.independence import g2
from learners.independence.ci_test import CITest
from learners.independence.fisher_z import FisherZ
from learners.results import trace as trace_module
from learners.results.phases import Phase, Stage
from learners.results.trace import _assemble as assemble
from learners.search import skeleton_levels
from learners.search.skeleton_levels import PackedEdges, compact, packed
from learners.settings import learner
from tests.cancelling import cut_short
from tests.learners.test_registry import check_result

MANY = 1_000  # number of variables
FIXED_BYTES = 10  # bytes of a run that do not grow with the number of pairs, for each pair of `MANY` variables
KEYS = ("pc", "ppc", "fci", "mmpc", "gs", "fast_iamb", "cimap", "phgs", "path", "arges", "mmhc")


def table(kind: str):
    """Return a table of 37 variables, with names that are not in the order of the columns."""
    network = random_gaussian_network(37, 45, seed=3) if kind == "continuous" else load_network("alarm")
    data = sample(network, 300, seed=3)
    return data.reordered(np.random.default_rng(3).permutation(37).tolist())


def arrays_of(result) -> dict[str, np.ndarray]:
    """Return the arrays of a result that a search over all pairs fills."""
    trace = result.trace
    names = ("phase", "action", "i", "j", "statistic", "dof", "log_p", "n_tests", "n_rows", "rule", "cond", "cond_end")
    return {
        "graph": result.graph.skeleton,
        "sets": result.sepsets.members,
        "present": result.sepsets.present,
        "strengths": result.strengths.values,
        **{name: getattr(trace, name) for name in names},
    }


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
@pytest.mark.parametrize("key", KEYS)
def test_compact_arrays_change_no_result(key, kind, monkeypatch):
    """Results of many variables, with small arrays and edges tested in parts, equal those of few to the last bit."""
    plain = arrays_of(learn(key, table(kind)))
    monkeypatch.setattr(skeleton_levels, "MIN_COMPACT", 2)
    monkeypatch.setattr(skeleton_levels, "MAX_SERIAL_EDGES", 0)
    monkeypatch.setattr(skeleton_levels, "MAX_SKIP_BYTES", 4 * skeleton_levels.MAX_SKIPPED * 37)  # four edges at a time
    monkeypatch.setattr(skeleton_levels, "MAX_BLOCK_EDGES", 60)
    monkeypatch.setattr(relabeling, "MAX_BLOCK_CELLS", 100)
    small = arrays_of(learn(key, table(kind)))
    for name, array in plain.items():
        np.testing.assert_array_equal(array, small[name], err_msg=name)


@pytest.mark.parametrize("key", ["ppc", "gs", "fci"])
def test_a_search_in_parts_counts_all_edges_and_keeps_what_was_tested(key, monkeypatch):
    """Progress never decreases within a phase; after a cancel at any tick, the trace rebuilds the result."""
    monkeypatch.setattr(skeleton_levels, "MAX_SKIP_BYTES", 1)  # one edge at a time
    monkeypatch.setattr(parallel, "TICK_SECONDS", 0)
    data, heard = table("categorical"), []

    def listen(phase: str, done: int, total: int) -> bool:
        heard.append((phase.partition(",")[0], total, done))
        return True

    learn(key, data, tick=listen)
    for (phase, total, done), (next_phase, next_total, following) in pairwise(heard):
        assert (phase, total) != (next_phase, next_total) or done <= following or done == total
    for result in cut_short(lambda tick: learn(key, data, tick=tick), at=range(1, len(heard), len(heard) // 8)):
        check_result(result, data, key)


@pytest.mark.parametrize(
    ("array", "n_bytes"),
    [
        (np.full(1_000, np.nan), 8),
        (np.ones(1_000, dtype=bool), 1),
        (np.arange(1_000), 2_000),
        (np.arange(1_000) + 40_000, 8_000),
        (np.linspace(0, 1, 1_000), 8_000),
        (np.arange(1_000.0), 2_000),
        (np.append(np.arange(999.0), np.nan), 8_000),
        (np.array([0.0, -0.0]), 16),
    ],
)
def test_compact_keeps_the_values(array, n_bytes):
    small = compact(array)
    np.testing.assert_array_equal(small, array)
    np.testing.assert_array_equal(np.signbit(small), np.signbit(array))
    base = small if small.base is None else small.base
    assert base.nbytes == n_bytes or small.strides == (0,)


@pytest.mark.parametrize("dense", [True, False])
def test_packed_edges_are_the_edges(dense):
    """Edges become bits only if they are ascending and bits take less memory."""
    mask = np.triu(np.random.default_rng(5).random((90, 90)) < (0.9 if dense else 0.01), 1)
    edges = np.argwhere(mask)[7:]
    small = packed(edges, 90)
    assert isinstance(small, PackedEdges) == dense
    np.testing.assert_array_equal(small.listed() if dense else small, edges)
    assert not isinstance(packed(edges[::-1], 90), PackedEdges)


@pytest.mark.parametrize("n_ticks", [1, 2, 4])
def test_a_run_that_is_cancelled_keeps_the_tests_of_earlier_blocks(n_ticks, monkeypatch):
    """The progress of a level counts the pairs of all its blocks; a cancelled level keeps the pairs tested so far."""
    monkeypatch.setattr(skeleton_levels, "MAX_BLOCK_EDGES", 60)
    seen = []

    def tick(_phase: str, done: int, total: int) -> bool:
        seen.append((done, total))
        return len(seen) < n_ticks

    test = FisherZ(table("continuous"), threads=1)
    search = skeleton_levels.SkeletonSearch(test, 0.05, bind(None, test.names))
    monkeypatch.setattr(FisherZ, "separate", CITest.separate)  # one tick a test
    with pytest.raises(Stopped):
        search.test_level(Phase(Stage.LEVEL, size=0), search.adjacency.copy(), 0, tick)
    trace = search.trace.build()
    assert len(trace) == n_ticks
    assert seen == [(k + 1, 37 * 36 // 2) for k in range(n_ticks)]


@pytest.fixture
def as_for_many(monkeypatch):
    """Treat 1,000 variables as many."""
    monkeypatch.setattr(skeleton_levels, "MIN_COMPACT", MANY)
    monkeypatch.setattr(skeleton_levels, "MAX_BLOCK_EDGES", 50 * MANY)
    monkeypatch.setattr(relabeling, "MAX_BLOCK_CELLS", MANY)
    monkeypatch.setattr(determination, "MAX_PAIRED", 100)
    for module in (g2, learner):
        monkeypatch.setattr(module, "MAX_PAIRED_STATES", 100)


def bytes_of_a_run(key: str, data: Dataset, **settings: object) -> tuple[float, float]:
    """Return the bytes for each ordered pair that a run keeps, and those that it takes at its peak."""
    learn(key, data.select(range(20)), **settings)  # loads the modules
    tracemalloc.start()
    try:
        result = learn(key, data, **settings)
        gc.collect()
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.graph.p == data.p
    return kept / data.p**2, peak / data.p**2


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.usefixtures("as_for_many")
def test_a_run_on_many_variables_keeps_few_bytes_a_pair(shuffled):
    """With 1,000 variables PC keeps less than 33 bytes for each ordered pair, and takes less than 37."""
    data = sample(random_gaussian_network(MANY, MANY, seed=1), 100, seed=1)
    if shuffled:
        data = data.reordered(np.random.default_rng(1).permutation(MANY).tolist())
    kept, peak = bytes_of_a_run("pc", data, alpha=0.01)
    assert kept < 33
    assert peak < 37 < LEARNERS["pc"].pair_bytes


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
@pytest.mark.parametrize(
    "key", [key for key, one in LEARNERS.items() if one.most_columns is None and key != "bootstrap"]
)
@pytest.mark.usefixtures("as_for_many")
def test_a_run_takes_the_bytes_that_its_learner_states(key, kind):
    """The first 200 messages of a run on 1,000 variables take no more memory than the check of it expects."""
    if kind not in LEARNERS[key].kinds:
        return
    data = sample(random_gaussian_network(MANY, MANY, seed=1), 200, seed=1)
    if kind == "categorical":
        codes = np.digitize(data.values.T, [-0.5, 0.5])
        data = Dataset.from_codes(codes, [3] * MANY, data.names)
    left = count_up(-200)
    _, peak = bytes_of_a_run(key, data, tick=lambda *_: next(left) < 0)
    assert peak < LEARNERS[key].bytes_of_pairs(data) / data.p**2 + FIXED_BYTES


@pytest.mark.parametrize("shuffled", [False, True])
def test_events_with_sets_are_read_without_the_others(shuffled, monkeypatch):
    """The check of sparse tables reads the tests with a set, and the trace of all pairs is not assembled for it."""
    assembled = []
    monkeypatch.setattr(trace_module, "_assemble", lambda *given: assembled.append(given) or assemble(*given))
    data = table("categorical")
    data = data if shuffled else data.in_name_order
    monkeypatch.setattr(registry, "_chance", lambda *_: ())
    result = learn("pc", data)
    part = result.trace.with_sets()
    assert len(assembled) == 1
    whole = result.trace
    given = np.flatnonzero(np.diff(whole.cond_end, prepend=0))
    some = np.flatnonzero(np.diff(part.cond_end, prepend=0))
    assert len(part) < len(whole)
    assert len(given)
    assert [str(part[t]) for t in some] == [str(whole[t]) for t in given]
    assert len(assembled) == 2


def test_tests_that_a_trace_repeats_are_not_counted(monkeypatch):
    """A trace that repeats its tests without sets leaves the number of tests of the run as it was."""
    monkeypatch.setattr(skeleton_levels, "MAX_SERIAL_EDGES", 0)
    test = FisherZ(table("continuous"))
    search = skeleton_levels.SkeletonSearch(test, 0.05, bind(None, test.names))
    search.test_level(Phase(Stage.LEVEL, size=0), search.adjacency.copy(), 0, lambda *_: True)
    n_tests = test.n_tests
    assert len(search.trace.build()) == n_tests == test.n_tests == 37 * 36 // 2
