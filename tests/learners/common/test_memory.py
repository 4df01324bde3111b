"""Tests of memory limits: a request for too much memory gives a clear error message."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from learners import (
    LEARNERS,
    BDeu,
    DataError,
    Dataset,
    ParameterError,
    best_classes,
    learn,
    load_network,
    random_dag,
    sample,
)
from learners.common import memory
from learners.graphs.sepsets import Sepsets
from learners.search.v_structures import colliders_of

ROOT = Path(__file__).parents[3]

# This code runs in a separate process, because the peak memory of a process never falls.
WIDE = """
import resource, sys
import numpy as np
from learners import Dataset, LearnersError, learn

rng = np.random.default_rng(0)
small = Dataset.from_codes(rng.integers(0, 2, (3, 2_000)), [2] * 3, ["wide", "long", "c"])
wide = Dataset.from_codes(rng.integers(0, 20_000, (3, 20_000)), [20_000] * 3, ["wide", "long", "c"])
for run in sys.argv[1:]:
    key, *words = run.split()
    settings = dict(word.split("=") for word in words)
    learn(key, small, **settings)  # compiled, or loaded
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        learn(key, wide, **settings)
    except LearnersError as error:
        assert "'long'" in str(error) and memory_variable in str(error), error
    print(run, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, sep=";")
""".replace("memory_variable", repr(memory.VARIABLE))


def few_bytes(monkeypatch: pytest.MonkeyPatch, megabytes: float = 1.0) -> None:
    monkeypatch.setenv(memory.VARIABLE, str(megabytes))


@pytest.mark.deep
@pytest.mark.compiled
def test_columns_of_20_000_levels_take_less_than_a_gigabyte():
    """The limit holds for learners that run and for those that refuse; a table of two columns would exceed it."""
    runs = [key for key, learner in LEARNERS.items() if "categorical" in learner.kinds and key != "bootstrap"]
    runs += ["pc test=permutation", "pc test=shrinkage", "hc score=bdeu"]
    done = subprocess.run([sys.executable, "-c", WIDE, *runs], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    grown = dict(line.split(";") for line in done.stdout.splitlines())
    assert {run: int(kilobytes) for run, kilobytes in grown.items() if int(kilobytes) > 512 * 1024} == {}
    assert list(grown) == runs


@pytest.mark.parametrize(
    "key", [key for key, one in LEARNERS.items() if "continuous" in one.kinds and not one.most_columns]
)
def test_a_graph_of_too_many_columns_is_refused_before_it_is_made(key, monkeypatch):
    """A graph of too many columns is refused, with their number, before it is allocated."""
    few_bytes(monkeypatch)
    data = Dataset.from_values(np.random.default_rng(0).normal(size=(5, 200)), [f"v{k}" for k in range(200)])
    needed = rf"{LEARNERS[key].pair_bytes * 200**2 / 2**20:,.0f} MB"
    with pytest.raises(DataError, match=f"^a graph of 200 columns would take {needed} of memory, .* use fewer columns"):
        learn(key, data)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: sample(load_network("asia"), 100_000, seed=0),
        lambda: random_dag(500, 2, seed=0),
        lambda: best_classes(BDeu(sample(load_network("asia"), 50, seed=0)), 10_000),
        lambda: colliders_of(~np.eye(500, dtype=bool) & (np.add.outer(range(500), range(500)) % 2 == 1), NO_SET),
    ],
    ids=["rows", "nodes", "classes", "triples"],
)
def test_numbers_that_ask_for_too_much_are_refused(ask, monkeypatch):
    """A request beyond the memory limit raises a DataError that names the large quantity and the limit."""
    few_bytes(monkeypatch)
    with pytest.raises(DataError, match=f"[0-9] .* more than the 1 MB that a step may take; .*{memory.VARIABLE}"):
        ask()


NO_SET = Sepsets(np.empty((500, 500, 0), dtype=np.int32), np.zeros((500, 500), dtype=bool))


def test_a_triangle_takes_no_room(monkeypatch):
    """In a complete graph no triple is stored, because triples with adjacent ends are no v-structures."""
    few_bytes(monkeypatch)
    complete = ~np.eye(200, dtype=bool)
    nothing = Sepsets(np.empty((200, 200, 0), dtype=np.int32), np.zeros((200, 200), dtype=bool))
    assert colliders_of(complete, nothing).shape == (0, 3)


def test_the_limit_is_a_share_of_the_machine_and_at_most_a_gigabyte(monkeypatch):
    """The limit is a quarter of the machine's memory and at most 1 GB; an environment variable overrides it."""
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "machine_mb", lambda: 800.0)
    assert memory.step_limit_bytes() == 200 * 2**20
    monkeypatch.setattr(memory, "machine_mb", lambda: 64_000.0)
    assert memory.step_limit_bytes() == 2**30
    few_bytes(monkeypatch, 2_000)
    assert memory.step_limit_bytes() == 2_000 * 2**20
    for wrong in ("much", "0", "-5"):
        monkeypatch.setenv(memory.VARIABLE, wrong)
        with pytest.raises(ParameterError, match=f"{memory.VARIABLE} must be a number above 0, got '{wrong}'"):
            memory.step_limit_bytes()


def test_graphs_may_take_a_share_of_the_free_memory(monkeypatch, tmp_path):
    """A graph of 5,000 columns fits in a quarter of 8 GB of free memory, but not if a container's limit leaves 4 GB."""
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "machine_mb", lambda: 64_000.0)
    paths = {name: tmp_path / name for name in ("meminfo", "limit", "use")}
    paths["meminfo"].write_text(f"MemTotal: 1 kB\nMemAvailable: {8_000 * 1024} kB\n")
    monkeypatch.setattr(memory, "MEMINFO", paths["meminfo"])
    monkeypatch.setattr(memory, "CGROUP_LIMITS", (paths["limit"],))
    monkeypatch.setattr(memory, "CGROUP_USES", (paths["use"],))
    assert memory.free_mb() == 8_000
    memory.check_pair_memory(5_000)
    paths["limit"].write_text(str(5_000 * 2**20))
    paths["use"].write_text(str(1_000 * 2**20))
    assert memory.free_mb() == 4_000
    with pytest.raises(DataError, match="a graph of 5,000 columns would take 1.5 GB of memory, more than the 1.0 GB"):
        memory.check_pair_memory(5_000)
    few_bytes(monkeypatch, 3_000)
    memory.check_pair_memory(5_000)
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "none")
    assert memory.free_mb() == 0


def test_runs_may_take_more_of_the_free_memory_at_their_peak(monkeypatch):
    """With 4 GB free, PC takes 5,000 columns, and Fast-IAMB, which keeps more for each pair, is refused."""
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "machine_mb", lambda: 64_000.0)
    monkeypatch.setattr(memory, "free_mb", lambda: 4_000.0)
    memory.check_run_memory(5_000, LEARNERS["pc"].pair_bytes * 5_000.0**2)
    with pytest.raises(DataError, match="a graph of 5,000 columns would take 14.9 GB of memory, more than the 2.0 GB"):
        memory.check_run_memory(5_000, LEARNERS["fast_iamb"].pair_bytes * 5_000.0**2)
    few_bytes(monkeypatch, 1_024)
    memory.check_run_memory(5_000, LEARNERS["pc"].pair_bytes * 5_000.0**2)
    few_bytes(monkeypatch, 900)
    with pytest.raises(DataError, match="more than the 900 MB"):
        memory.check_run_memory(5_000, LEARNERS["pc"].pair_bytes * 5_000.0**2)


def test_levels_take_their_pairs_and_no_more():
    """5,000 columns of levels take as much as numbers; pairs of few levels, and levels beside numbers, take more."""
    pc, codes = LEARNERS["pc"], np.zeros((5_000, 1), dtype=np.int8)
    names = [f"v{k}" for k in range(5_000)]
    levels = Dataset.from_codes(codes, [3] * 5_000, names)
    assert pc.bytes_of_pairs(levels) == pc.pair_bytes * 5_000.0**2
    few = levels.select(range(1_500))
    assert pc.bytes_of_pairs(few) == pc.pair_bytes * 1_500.0**2 + memory.STATE_PAIR_BYTES * 4_500.0**2
    numbers = Dataset.from_values(np.zeros((1, 1_000)), [f"x{k}" for k in range(1_000)])
    mixed = Dataset.joined([*few.names, *numbers.names], few, numbers)
    assert pc.bytes_of_pairs(mixed) == pc.pair_bytes * 2_500.0**2 + memory.INDICATOR_PAIR_BYTES * 4_000.0**2


def test_a_trifle_is_allowed_without_a_look_at_the_machine(monkeypatch):
    """A small request is allowed without reading the machine's memory, because that means reading files."""
    looks = []
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "machine_mb", lambda: looks.append(1) or 100.0)
    memory.check_memory(memory.ALWAYS_ALLOWED_BYTES, "a trifle", "")
    assert not looks
    memory.check_memory(memory.ALWAYS_ALLOWED_BYTES + 1, "more", "")
    assert looks
    monkeypatch.setenv(memory.VARIABLE, "0.1")
    with pytest.raises(DataError):
        memory.check_memory(memory.ALWAYS_ALLOWED_BYTES, "a trifle", "")
