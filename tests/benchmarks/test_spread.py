"""Pieces distributed over a Dask scheduler are neither lost nor counted twice."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.papers import __main__ as command_line
from benchmarks.papers.catalogue import EXPERIMENTS
from benchmarks.papers.experiment import label
from benchmarks.papers.lmm import GAMMA
from benchmarks.papers.store import ResultFile, read_rows
from tests.polling import wait_until
from tests.schedulers import scheduler

ROOT = Path(__file__).parents[2]
FEW = replace(GAMMA, cells=GAMMA.cells[-4:], networks={"smoke": 1, "desk": 6, "paper": 100})
COMPUTED = ["piece", "method", "metric", "value"]


@pytest.fixture
def cluster(tmp_path):
    """Yield the address of a scheduler and its two workers."""
    with scheduler(tmp_path) as (address, worker):
        yield address, [worker() for _ in range(2)]


def finished(path: Path) -> int:
    return path.read_text().count(",,finished,") if path.exists() else 0


@pytest.mark.compiled
@pytest.mark.deep
def test_a_killed_worker_loses_no_piece_and_none_counts_twice(cluster, tmp_path, monkeypatch):
    """If one of two workers is killed, the rows equal those of a run in one process."""
    address, workers = cluster
    monkeypatch.setitem(EXPERIMENTS, FEW.name, FEW)
    path = tmp_path / "spread" / f"{FEW.name}.csv"
    seen = []

    def kill() -> None:
        wait_until(lambda: finished(path) >= 4)
        seen.append(finished(path))
        os.kill(workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    command_line.main([FEW.name, "--scale", "desk", "--scheduler", address, "--results", str(path.parent)])
    killer.join()
    assert seen[0] < len(FEW.pieces("desk")), "nothing was left to lose"
    assert workers[0].poll() == -signal.SIGKILL
    alone = ResultFile(tmp_path / "alone.csv")
    command_line.carry_out(FEW, "desk", alone)
    assert ResultFile(path).finished == {label(piece) for piece in FEW.pieces("desk")}
    assert finished(path) == len(FEW.pieces("desk"))
    spread, expected = (
        rows[COMPUTED].sort_values(COMPUTED[:3], ignore_index=True) for rows in (read_rows(path), alone.rows())
    )
    pd.testing.assert_frame_equal(spread, expected)


@pytest.mark.compiled
@pytest.mark.deep
def test_workers_of_this_machine_do_the_same(tmp_path, capsys):
    """Local workers need only their number as an option."""
    command_line.main(["lmm_gamma", "--workers", "2", "--results", str(tmp_path)])
    assert "## lmm_gamma" in capsys.readouterr().out
    assert ResultFile(tmp_path / "lmm_gamma.csv").finished == {label(piece) for piece in GAMMA.pieces("smoke")}


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch, tmp_path, capsys):
    """The error message names the address of the scheduler."""
    monkeypatch.setattr("learners.common.dask_client.CONNECT_SECONDS", 0.5)
    with pytest.raises(SystemExit):
        command_line.main(["lmm_gamma", "--scheduler", "tcp://127.0.0.1:9", "--results", str(tmp_path)])
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in capsys.readouterr().err


@pytest.mark.deep
def test_the_app_does_without_dask():
    """The Experiments page never imports Dask, which the app does not require."""
    words = "import sys, pages.blocks.experiments.rerun; sys.exit(bool({'dask', 'distributed'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True).returncode == 0
