"""Tests of the warm-up: no run compiles anything afterwards, and an interrupted warm-up is resumed."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.extending import is_jitted

from learners import Dataset, kernels
from learners.io.samples import SAMPLES, load_sample
from learners.kernels.compiling import store
from learners.registry import LEARNERS, learn
from learners.workers import warm_up
from tests.polling import wait_until
from tests.processes import runs

compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def compiled() -> dict[str, int]:
    """Return the number of versions of each kernel that this process compiled and did not load from the cache."""
    found = {}
    for module in pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}."):
        for name, one in vars(importlib.import_module(module.name)).items():
            if is_jitted(one):
                found[f"{module.name}.{name}"] = sum(one.stats.cache_misses.values())
    return found


@pytest.mark.deep
@compiled_only
def test_first_runs_after_warm_up_compile_nothing():
    """After the warm-up, runs of every learner on samples of every column type and width compile nothing."""
    for piece in warm_up.pieces():
        warm_up.compile_piece(piece)
    before = compiled()
    assert before
    for key in ("asia", "gauss30", "insurance", "election"):
        dataset = load_sample(key).dataset
        if dataset is None:
            continue
        for name, learner in LEARNERS.items():
            if learner.refusal(dataset) is None:
                learn(name, dataset)
    learn("hc", Dataset.from_codes(np.tile([[0, 1], [1, 1]], 2_000), [2, 2], ["a", "b"]))  # equal rows are merged
    numbers, codes = np.arange(180.0).reshape(90, 2) % 7, np.arange(180).reshape(2, 90) % 3
    many = Dataset.from_codes(codes, [3, 300], ["c", "d"])  # more levels than a byte holds, in mixed data
    learn(
        "phgs", Dataset.joined(["a", "b", "c", "d"], Dataset.from_values(numbers, ["a", "b"]), many), test="regression"
    )
    assert compiled() == before
    assert all(map(warm_up.ready, warm_up.pieces()))


@pytest.mark.deep
def test_warm_up_covers_every_learner_and_kind(monkeypatch, tmp_path):
    """The warm-up learns the app's first graph, then runs each learner on each declared column type, in order."""
    monkeypatch.setenv("EDGEWISE_CACHE", str(tmp_path))
    ran = {}
    monkeypatch.setattr("learners.registry.learn", lambda key, dataset, **_: ran.setdefault((key, dataset.kind)))
    monkeypatch.setattr(warm_up, "ENABLED", True)
    monkeypatch.setattr(warm_up, "available_cores", lambda: 1)
    warm_up.warm_up()
    listed = [(key, kind) for key, learner in LEARNERS.items() for kind in learner.kinds]
    first = (warm_up.FIRST_LEARNER, "categorical")
    assert list(ran) == [first, *(piece for piece in listed if piece != first)]
    assert len(SAMPLES) > 0


def test_workers_compile_pieces_of_different_kinds():
    """Each worker gets the first step of a column type that no other worker compiles; all steps are compiled."""
    left = [("a", "categorical"), ("a", "mixed"), ("b", "categorical"), ("b", "mixed"), ("c", "categorical")]
    taken = []
    for kinds in (set(), {"categorical"}, {"categorical"}, {"mixed"}, {"categorical"}):
        taken.append(warm_up.next_piece(left, kinds))
        left.remove(taken[-1])
    assert taken == [
        ("a", "categorical"),
        ("a", "mixed"),
        ("b", "mixed"),
        ("b", "categorical"),
        ("c", "categorical"),  # the only remaining step
    ]


@pytest.mark.deep
def test_what_is_ready_is_not_done_again(monkeypatch, tmp_path):
    """A finished step, recorded by a mark on disk, is not repeated until a source file changes."""
    monkeypatch.setenv("EDGEWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(warm_up, "ENABLED", True)
    monkeypatch.setattr(warm_up, "available_cores", lambda: 1)
    ran = []
    monkeypatch.setattr("learners.registry.learn", lambda key, dataset, **_: ran.append((key, dataset.kind)))
    first, _, second, *_ = warm_up.pieces()
    monkeypatch.setattr(warm_up, "pieces", lambda: [first, second])
    warm_up.compile_piece(first)
    assert warm_up.ready(first)
    assert not warm_up.ready(second)
    ran.clear()
    warm_up.warm_up()
    assert set(ran) == {second}
    ran.clear()
    warm_up.warm_up()
    assert ran == []
    monkeypatch.setattr(warm_up, "_sources", lambda: "changed")
    assert not warm_up.ready(first)


@pytest.mark.deep
@compiled_only
def test_a_warm_up_behind_ends_with_who_asked(tmp_path):
    """If the app ends, all processes of its warm-up end."""
    env = os.environ | {"EDGEWISE_CACHE": str(tmp_path)}
    command = f"{sys.executable} -m learners warm-up --behind & echo $!; sleep 600"
    with subprocess.Popen(["sh", "-c", command], env=env, stdout=subprocess.PIPE, text=True) as app:
        child = int(app.stdout.readline())
        wait_until(lambda: any((tmp_path / "kernels").glob(f"*{store.SUFFIX}")))
        assert _niceness(child) > 0
        below = _children(child)
        app.kill()
        app.stdout.close()
    wait_until(lambda: not any(map(runs, [child, *below])))


def test_a_warm_up_in_a_process_can_be_ended(tmp_path, monkeypatch):
    """A step in a separate process, for which a run waits, can be ended."""
    monkeypatch.setenv("EDGEWISE_CACHE", str(tmp_path))
    with warm_up.warm_up_in_process(("lmm", "continuous")) as process:
        process.terminate()
    assert process.returncode != 0
    assert not list(tmp_path.rglob(f"*{store.MARK}"))


def _niceness(pid: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, pid)


def _children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


@compiled_only
def test_a_first_run_shares_its_compiling(monkeypatch, tmp_path):
    """During a first run, a second process compiles the next step, unless that is ready or cannot be cached."""
    monkeypatch.setenv("EDGEWISE_CACHE", str(tmp_path))
    asked = []
    monkeypatch.setattr(warm_up, "warm_up_in_process", asked.append)
    monkeypatch.setattr(warm_up, "available_cores", lambda: 2)
    warm_up.share(("pc", "categorical"))
    assert asked == [warm_up.ORIENTATION]
    warm_up.compile_piece(warm_up.ORIENTATION)
    warm_up.share(("pc", "categorical"))
    assert len(asked) == 1
