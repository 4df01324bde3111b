"""Estimate of the seconds of B-RAI from a few of the routes of its trees.

A tree has up to `s` children for each group of each call, so the tests of the first level do not determine its
size. Following one child of each group, and counting what lies at depth d ``s ** d`` times, estimates the size without
bias (Knuth 1975, Estimating the efficiency of backtrack programs, Mathematics of Computation 29).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ...common.parallel import available_cores, run_in_thread
from ...common.progress import Stopped
from ...data.resampling import resample_weights
from ...graphs.knowledge import BoundKnowledge
from ...independence import G2, ResampledGaussian
from ...independence.ci_test import KernelTest
from ...search.cost import cost_of_tests
from .calls import Path, Rules
from .forest import ROOT_PATH
from .rai import rules_of
from .recursion import Recursion

SECONDS = 0.12  # seconds after which no further tree is probed
FIRST_SECONDS = 0.6  # seconds after which the probe ends without one; measured: 0.01 to 0.3 with up to 60 columns
PROBES = 20  # maximum number of probed trees
# Seconds of a run divided by those of its trees: scores, classes and polish come on top of the tests.
TIMES_TREES = 1.4
# If not even one route ends in time: seconds of a run divided by those of the tests of a PC-like learner, each repeated
# on s + s² resamples. Measured on bundled samples and simulated tables: 1.6 to 82, so it is at least what was probed.
TIMES_TESTS = 8.0


def cost_of_brai(
    ci_test: G2 | ResampledGaussian,
    *,
    s: int,
    roots: int,
    resample_factor: float,
    alpha: float,
    pools: str,
    collider_check: str,
    max_cond_size: int | None,
    cut: str = "alpha",
    c1_factor: float = 1.0,
    mi_bits: float = 0.03,
    **_others: Any,
) -> float:
    """Estimate the seconds of the trees, and of the scores, classes and polish that follow.

    The settings that only categories have keep their defaults for other tables.
    """
    rules = rules_of(ci_test, cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size, resample_factor)
    found: list[float] = []
    partial = [0.0]

    def probe(stop: np.ndarray, _done: np.ndarray) -> None:
        for root in (1, *range(1, PROBES + 1)):  # the first probe may compile, so it is repeated
            seconds = seconds_of_a_tree(ci_test, rules, s, root, stop)
            if stop[0]:
                partial[0] = seconds
                return
            found.append(seconds)

    def in_time(*_progress: object) -> bool:
        return time.perf_counter() - began < (SECONDS if found[1:] else FIRST_SECONDS)

    began = time.perf_counter()
    try:
        run_in_thread(probe, phase="estimate", tick=in_time)
    except Stopped:
        if not found:
            by_tests = TIMES_TESTS * (1 + s + s * s) * cost_of_tests(ci_test, max_cond_size=max_cond_size)
            return roots * max(by_tests, TIMES_TREES * partial[0] / available_cores())
    return TIMES_TREES * roots * float(np.mean(found[1:] or found)) / available_cores()


def seconds_of_a_tree(ci_test: G2 | ResampledGaussian, rules: Rules, s: int, root: int, stop: np.ndarray) -> float:
    """Estimate the seconds of a tree that begins with a resample, from one resample of each call.

    Parameters
    ----------
    ci_test : G2 or ResampledGaussian
    rules : Rules
    s : int
        Number of resamples of each group in the tree.
    root : int
        Number of the tree, at least 1; others have other resamples.
    stop : (1,) int8 array
        The probe ends once ``stop[0]`` is set; the result is then a lower bound.
    """

    def drawn(path: Path, nodes: np.ndarray) -> KernelTest:
        return ci_test.resampled(resample_weights(ci_test.dataset, 0, (ROOT_PATH, root, *path)), nodes)

    began, seconds = time.perf_counter(), 0.0
    none = BoundKnowledge.none(ci_test.p)
    recursion = Recursion(ci_test, rules, none, 1, drawn, first_data=drawn((), np.arange(ci_test.p)))
    tasks: list = [(None, 0)]
    while tasks and not stop[0]:
        parent, t = tasks.pop()
        tasks += recursion.refine_groups((parent, t), stop)
        ended = time.perf_counter()
        seconds += s ** (0 if parent is None else parent.size + 1) * (ended - began)
        began = ended
    return seconds
