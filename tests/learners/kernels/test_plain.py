"""Tests of the kernels as plain Python (NUMBA_DISABLE_JIT=1): all of them run, and no integer overflows."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import threading
import types
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from numba import config

from learners import BIC, PDAG, Dataset, DependenceOracle, DSeparation, FisherZ, Knowledge, ges, learn, rai, sweep
from learners import kernels as package
from learners.families.h2pc.requests import UNTESTED
from learners.families.lmm.lmm import lmm
from learners.independence import G2
from learners.independence.ci_cache import FIRST_SLOTS, CIMemory
from learners.kernels import compiling, jit
from learners.kernels.brai.leaves import leaf_edges
from learners.kernels.ci.partial_correlation import factor, partial_correlations_with
from learners.kernels.ci.tail_probabilities import log_chi2_sf
from learners.kernels.h2pc.pruning import is_stronger
from learners.kernels.reading.delimited_rows import is_visible
from learners.kernels.scores.bdeu_and_bic import level_at
from learners.search.ges_search import equivalence_search
from learners.search.hgi import hgi
from learners.workers.warm_up import compile_piece, pieces
from tests import naive_mixed
from tests.learners.data.reading.test_regular_rows import read
from tests.learners.kernels.test_pruning import one_list

TYPING = {
    "families._fit_families",
    "families._fit_families_above",
    "families._penalize_families",
    "any_test._decide",
    "tested._has_correlations",
    "tested._lower_one_by_one",
}  # functions that the compiler uses only for typing and that never run


def kernels() -> dict[types.CodeType, str]:
    """Return the names of all functions of the package, by code object."""
    found = {}
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.name.startswith((compiling.__name__, jit.__name__)):
            continue  # the compiling modules contain no kernels
        content = vars(importlib.import_module(module.name))
        for name, one in content.items():
            if isinstance(one, types.FunctionType) and one.__module__ == module.name:
                found[one.__code__] = f"{module.name.rpartition('.')[2]}.{name}"
    return found


def visited(work: Callable[[], None]) -> set[types.CodeType]:
    """Return the code that `work` runs, in any thread."""
    seen = set()

    def note(frame: types.FrameType, _event: str, _: object) -> None:
        seen.add(frame.f_code)  # returns None, since lines need not be traced

    threading.settrace(note)
    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(None)
        threading.settrace(None)
    return seen


def chain(arity: list[int], n: int, seed: int) -> Dataset:
    """Draw columns that follow their predecessor in three rows of four."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, arity[0], n)]
    for r in arity[1:]:
        codes.append(np.where(rng.random(n) < 0.75, codes[-1] % r, rng.integers(0, r, n)))
    return Dataset.from_codes(codes, arity, [f"v{k}" for k in range(len(arity))])


def everything() -> None:
    """Run every learner on small data, and then the tests and tail functions that the learners do not reach."""
    for piece in pieces():
        compile_piece(piece)
    both = naive_mixed.mixed_rows(5, 200, seed=1)
    for known in (both, both.available(range(5))):
        for missing in (0.1, 0.4):  # with 0.4, some rows lack three columns of a test
            gaps = naive_mixed.with_holes(known, missing, seed=1)
            learn("pc", gaps, max_cond_size=2, alpha=0.3, missing="available")
        learn("pc", known, max_cond_size=2, alpha=0.3)
    learn("pc", naive_mixed.with_holes(both, 0.1, seed=1), max_cond_size=1)
    learn("cimap", chain([700, 600, 500], 900, seed=2))
    data = chain([2, 3, 2, 3, 40, 2], 900, seed=0)
    narrow = data.select([0, 1, 2, 3, 5])
    for sample in (data, narrow, narrow.merged()):
        learn("pc", sample, max_cond_size=3, alpha=0.3, rows_per_cell=1.0)
    memory = CIMemory(narrow.p)
    memory.tests().used[0] = FIRST_SLOTS  # simulates a full cache, so that the next run allocates more
    memory.tests()
    gaps = naive_mixed.with_holes(narrow, 0.1, seed=1)
    learn("pc", gaps.select([0, 2, 4]), alpha=0.3, missing="available")  # planes of two levels
    learn("pc", gaps, max_cond_size=2, alpha=0.3, missing="available")
    learn("hc", gaps, missing="available")
    learn("mmhc", narrow, search="optimal")
    sweep("pc", narrow, "alpha", (0.3, 0.1, 0.03, 0.01, 0.001, 1e-5), max_cond_size=2)  # some results repeat
    G2(narrow).test(0, 1)
    G2(narrow).test(0, 1, (2, 3))
    learn("cimap", narrow, preset="P-3", literal=True, fnr="off", max_cond_size=2)
    learn("cimap", narrow, test="pn-all", cut=1.0, max_cond_size=1)
    learn("hc", narrow, restarts=1, perturbations=2)
    sweep("ges", narrow, "penalty", (1.0, 2.0))  # the runs share fits
    # These calls have edges to delete at the start, background knowledge, and triples to shield.
    dense = PDAG(np.triu(np.ones((5, 5), dtype=bool), 1))
    known = Knowledge(tiers={"v5": 1, "v2": 0}, required=(("v0", "v1"),))
    for start in (None, dense):
        ges(BIC(narrow), start=start, knowledge=known)
    near = np.abs(np.subtract.outer(np.arange(5), np.arange(5))) == 1
    equivalence_search(BIC(narrow), allowed=near, beside="triples")
    # A square has no sink, so the extension falls back to Meek's rules.
    square = PDAG.from_edges(5, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)]).amat
    hgi(BIC(narrow), square, np.empty((0, 3), dtype=np.int64))
    leaf_edges(np.arange(5, dtype=np.int32), np.ones(5, dtype=bool), square, np.zeros((5, 5), dtype=np.int8))
    wide = chain([300] * 5, 300, seed=1)
    BIC(wide).local(0, (1, 2, 3))
    G2(wide).test(0, 1, (2, 3))
    level_at(BIC(narrow).sample.planes[:1], 0)  # more codes than the cache can store
    values = np.random.default_rng(2).normal(size=(60, 7)) @ np.random.default_rng(3).normal(size=(7, 7))
    numbers = Dataset.from_values(values, list("abcdefg"))
    learn("pc", numbers, alpha=0.2)
    FisherZ(numbers).test(0, 1, (2, 3, 4))
    learn("lmm", numbers, orientation="pc")
    learn("cimap", numbers, preset="P-2", alpha=0.3)
    learn("cimap", both, preset="P-2", alpha=0.3)
    learn("cimap", numbers, preset="P-3", alpha=0.3)
    levels = np.random.default_rng(5).integers(0, 9, (20, 2)).astype(str)
    table = pd.DataFrame({"a": levels[:, 0], "b": levels[:, 1], "x": values[:20, 0]})
    learn("cimap", Dataset.from_frame(table), preset="P-3", effect=0.05)  # a and b lack power
    learn(
        "pc",
        Dataset.from_values(np.where(np.random.default_rng(4).random((60, 7)) < 0.1, np.nan, values), list("abcdefg")),
    )
    rai(DSeparation(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])), cut="alpha")
    lmm(DependenceOracle(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])), max_cond_size=2)
    cond, chol, basis = np.array([2, 3]), np.empty((2, 2)), np.empty(2, dtype=np.int64)
    rank = factor(numbers.correlation, cond, 2, chol, basis)
    partial_correlations_with(numbers.correlation, 0, chol, basis, rank, np.arange(7), np.empty(7))
    log_chi2_sf(90.0, 100.0)
    assert read("0.25") == (0.25, 4)
    assert is_visible(np.frombuffer(b"a", np.uint8), 0)
    is_stronger(one_list([-2.0, -2.0], [1.0, 3.0]), 0, 1, UNTESTED)  # a tie


@pytest.mark.deep
@pytest.mark.skipif(not config.DISABLE_JIT, reason="compiled functions cannot be watched")
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_every_kernel_runs_as_plain_python_without_a_warning():
    """Every kernel runs as plain Python without a warning.

    NumPy's scalars warn about overflows, whereas compiled integers wrap around silently.
    """
    seen = visited(everything)
    assert {name for code, name in kernels().items() if code not in seen} <= TYPING
