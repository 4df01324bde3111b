"""What HPC remembers changes how many tests it does, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from learners import G2, hpc, load_network, sample
from learners.common.progress import silent
from learners.h2pc import memory, search
from learners.h2pc.memory import Memory
from learners.kernels.tests.questions import Questions


def asking(triples, *, walks=None) -> Questions:
    """Questions (x, y, set), each a walk of its own unless told."""
    sets = [cond for *_, cond in triples]
    return Questions(
        x=np.array([x for x, *_ in triples], dtype=np.int64),
        y=np.array([y for _, y, _ in triples], dtype=np.int64),
        members=np.array([k for cond in sets for k in cond], dtype=np.int32),
        ends=np.cumsum([0, *map(len, sets)]),
        begin_of=np.cumsum([0, *(walks or [1] * len(triples))]),
        log_alpha=np.log(0.05),
        skip=False,
    )


@pytest.fixture
def test():
    """G² on a few rows of child."""
    return G2(sample(load_network("child"), 400, 0), rows_per_cell=5)


def equal(one, other) -> None:
    for name in ("log_p", "statistic", "dof", "tested", "at"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_question_is_tested_once(test, monkeypatch):
    """Again, twice at once, and round the other way: the answers of the test itself, and no test more."""
    monkeypatch.setattr(memory, "FEW", 0)
    remembered = Memory(test.p)
    questions = asking([(0, 1, (2,)), (0, 3, ()), (0, 1, (2,)), (4, 5, (1, 7, 9)), (0, 2, (1,))])
    first = remembered.answer(test, questions, phase="", tick=silent)
    equal(first, test.answer(questions))
    assert first.n_tests.tolist() == [1, 1, 0, 1, 1]
    before = test.n_tests
    turned = asking([(4, 5, (1, 7, 9)), (0, 2, (1,)), (0, 1, (2,))])
    again = remembered.answer(test, turned, phase="", tick=silent)
    assert test.n_tests == before
    assert again.n_tests.tolist() == [0, 0, 0]
    equal(again, test.answer(turned))


def test_walks_of_several_tests_are_done(test, monkeypatch):
    """Only the hardest test of a walk is told, so walks are neither remembered nor answered from memory."""
    monkeypatch.setattr(memory, "FEW", 0)
    remembered = Memory(test.p)
    questions = asking([(0, 1, ()), (0, 1, (2,)), (0, 1, (3,)), (2, 5, ())], walks=[3, 1])
    for expected in (1, 0):
        told = remembered.answer(test, questions, phase="", tick=silent)
        equal(told, test.answer(questions))
        assert told.n_tests[0] == test.answer(questions).n_tests[0] > 0
        assert told.n_tests[1] == expected


@pytest.mark.parametrize("slots", [1, 7, memory.SLOTS])
def test_hpc_finds_the_same_whatever_is_remembered(test, slots, monkeypatch):
    """Same sides, sets and p from a memory of any size, also where answers push one another out."""
    plain = hpc(test)
    monkeypatch.setattr(memory, "FEW", 0)
    monkeypatch.setattr(search, "Memory", lambda p: Memory(p, slots))
    result = hpc(test)
    assert result.graph == plain.graph
    for name in ("rule", "candidates", "blanket", "spouses", "superset"):
        np.testing.assert_array_equal(getattr(result.extra, name), getattr(plain.extra, name))
    np.testing.assert_array_equal(result.extra.log_phi, plain.extra.log_phi)
    assert result.n_tests == result.trace.n_tests.sum()
    assert result.n_tests < plain.n_tests
