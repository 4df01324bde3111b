"""Many tests asked at once, each with a set of its own.

Test q asks about ``x[q] < y[q]`` given ``members[ends[q - 1]:ends[q]]``, ascending. Walk w holds the tests
``begin_of[w] <= q < begin_of[w + 1]`` and ends at the first that separates. Of a walk `Answers` keep the hardest test.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.contingency import n_cells
from .gaussian_separation import judge_fisher_z
from .separation import judge_g2


class Questions(NamedTuple):
    """See the head of the file; `x`, `y` (m,) int64, `members` int32, `ends` (m + 1,) and `begin_of` (k + 1,) int64.

    `ends` begins with 0. `log_alpha` float, and `skip`: whether a test without enough rows separates nothing.
    """

    x: np.ndarray
    y: np.ndarray
    members: np.ndarray
    ends: np.ndarray
    begin_of: np.ndarray
    log_alpha: float
    skip: bool


class Answers(NamedTuple):
    """Of each walk: the hardest test as `at` (k,) int64, its place in the walk, and its `log_p`, `statistic`, `dof`.

    `tested` (k,) bool, and `n_tests` (k,) int64: how many were done.
    """

    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray
    at: np.ndarray
    n_tests: np.ndarray


@kernel
def fold(log_alpha, skip, answers, w, place, log_p, statistic, dof, tested):
    """Take one more answer of walk w into account; whether it ends the walk."""
    answers.n_tests[w] += 1
    passed_over = skip and not tested
    if place == 0 or (not passed_over and (log_p > answers.log_p[w] or (skip and not answers.tested[w]))):
        answers.log_p[w], answers.statistic[w], answers.dof[w] = log_p, statistic, dof
        answers.tested[w], answers.at[w] = tested, place
    return log_p > log_alpha and not passed_over


@kernel
def g2_questions(sample, questions, begin, end, answers, scratch, stop, done):
    """The walks ``begin <= w < end`` by G². A test for which the rows do not suffice is not even counted."""
    x, y, members, ends = questions.x, questions.y, questions.members, questions.ends
    log_alpha, skip = questions.log_alpha, questions.skip
    for w in range(begin, end):
        first = questions.begin_of[w]
        for q in range(first, questions.begin_of[w + 1]):
            cond = members[ends[q] : ends[q + 1]]
            log_p, statistic, dof = 0.0, np.nan, np.nan
            tested = sample.n >= sample.rows_per_cell * n_cells(sample.arity, x[q], y[q], cond, cond.shape[0])
            if tested:
                log_p, statistic, dof, tested = judge_g2(sample, x[q], y[q], cond, scratch)
            if fold(log_alpha, skip, answers, w, q - first, log_p, statistic, dof, tested):
                break
        if stop[0]:
            return
        done[0] += 1


@kernel
def fisher_z_questions(corr, n, questions, begin, end, answers, stop, done):
    """The walks ``begin <= w < end`` by Fisher's z."""
    x, y, members, ends = questions.x, questions.y, questions.members, questions.ends
    log_alpha, skip = questions.log_alpha, questions.skip
    for w in range(begin, end):
        first = questions.begin_of[w]
        for q in range(first, questions.begin_of[w + 1]):
            log_p, z, tested = judge_fisher_z(corr, n, x[q], y[q], members[ends[q] : ends[q + 1]])
            if fold(log_alpha, skip, answers, w, q - first, log_p, z, np.nan, tested):
                break
        if stop[0]:
            return
        done[0] += 1
