"""Planted faults: the selection of tests, and faults that no test found in an earlier run."""

from __future__ import annotations

import csv

import pytest

from benchmarks.faults import Imports, drawn, named


@pytest.fixture(scope="module")
def imports():
    return Imports()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("learners/kernels/exp_log.py", "tests/learners/kernels/test_exp_log.py"),
        ("learners/kernels/ci/regression.py", "tests/learners/independence/test_regression.py"),
        ("learners/common/sandbox_child.py", "tests/learners/common/test_sandbox.py"),
        ("pages/blocks/inspect/alpha_path.py", "tests/pages/test_path.py"),
    ],
    ids=["kernel with its own tests", "kernel", "program of another process", "page"],
)
def test_without_recorded_calls_the_tests_of_the_nearest_users_are_tried(imports, module, test):
    assert test in imports.tests_of(module)


@pytest.mark.deep
def test_faults_of_an_earlier_result_are_planted_again_if_nothing_found_them(tmp_path):
    faults = drawn(seed=1, number=12)
    rows = [
        [fault.path, fault.line + 3, fault.column, fault.kind, fault.text[:80], ("none", "gate")[k % 2], 1]
        for k, fault in enumerate(faults)
    ]
    with (tmp_path / "faults.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["path"], *rows])
    again = named(tmp_path / "faults.csv")
    assert [(one.path, one.kind, one.text) for one in again] == [(one.path, one.kind, one.text) for one in faults[::2]]
