"""Tests of work on a Dask scheduler: polling, cancellation, retries after lost workers, and version checks."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from learners import DataError, ParameterError, learn, load_sample
from learners.common import cluster as clusters
from learners.common.cluster import Cluster
from learners.common.progress import Tick, silent
from learners.common.remote_task import RemoteTask
from learners.common.task_pool import TaskHandle
from learners.workers.remote import learn_in_worker
from tests.examples import blocks
from tests.learners.test_column_order import check_same
from tests.polling import pause
from tests.schedulers import scheduler

pytestmark = pytest.mark.compiled  # most of the time is spent starting processes, not in kernels


def steps(n: int, *, tick: Tick) -> Iterator[tuple[int, int]]:
    """Yield the process ID and the number of each of `n` steps, until cancelled."""
    for k in range(n):
        yield os.getpid(), k
        for _ in range(20):
            if not tick("steps", k, n):
                return
            pause()


def refuses(*, tick: Tick) -> None:
    """Raise a DataError."""
    tick("refusing", 0, 0)
    raise DataError("too few rows")


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[tuple[Cluster, Callable]]:
    """Yield a cluster with two workers, and a function that starts another worker."""
    with scheduler(tmp_path_factory.mktemp("dask")) as (address, worker):
        one = Cluster(address)
        for _ in range(2):
            worker()
        yield one, worker
        one.close()


@pytest.mark.deep
def test_values_come_as_they_arise_until_work_is_cancelled(house):
    cluster, _ = house
    heard = []

    def tick(*progress: object) -> bool:
        heard.append(progress)
        return len(found) < 3

    found = []
    for one in cluster.stream(steps, 1_000, tick=tick):
        found.append(one)
    assert [k for _, k in found] == list(range(len(found)))
    assert 3 <= len(found) < 20
    assert ("steps", 0, 1_000) in heard
    with pytest.raises(DataError, match="^too few rows$"):
        cluster.call(refuses, tick=silent)


@pytest.mark.deep
def test_a_worker_hears_of_a_cancel_while_the_scheduler_thinks(house, monkeypatch):
    """A worker receives a cancellation although the scheduler has not answered yet."""
    cluster, _ = house
    report, heard = clusters._SubmittedTask._report, []

    async def noted(self, at: str, goes_on: bool):
        heard.append(goes_on)
        return await report(self, at, goes_on)

    class Slow:
        def __init__(self, scheduler):
            self._scheduler = scheduler

        def __getattr__(self, name: str):
            return getattr(self._scheduler, name)

        async def processing(self, **asked):
            while found and False not in heard:
                await asyncio.sleep(0.01)
            return await self._scheduler.processing(**asked)

    monkeypatch.setattr(clusters._SubmittedTask, "_report", noted)
    client = cluster._client()
    monkeypatch.setattr(client, "scheduler", Slow(client.scheduler))
    found = []
    for one in cluster.stream(steps, 1_000, tick=lambda *_: not found):
        found.append(one)
    assert 1 <= len(found) < 20


@pytest.mark.deep
def test_no_value_is_lost_with_an_answer_that_is(house, monkeypatch):
    """If the first answer with values arrives too late, the next poll returns these values again."""
    cluster, _ = house
    asked, lost = clusters._SubmittedTask._ask, []

    async def too_late(self, goes_on: bool):
        answer = await asked(self, goes_on)
        if answer[2] is None or lost or not answer[2][2]:
            return answer
        lost.extend(answer[2][2])
        raise TimeoutError

    monkeypatch.setattr(clusters._SubmittedTask, "_ask", too_late)
    assert [k for _, k in cluster.stream(steps, 12, tick=silent)] == list(range(12))
    assert lost


def test_values_wait_until_they_are_known_to_have_arrived():
    one = RemoteTask()
    for k in range(3):
        one.add(k)
    assert one.since(0) == one.since(0) == (0, [0, 1, 2])
    assert one.since(2) == (2, [2])
    one.add(3)
    assert one.since(2) == (2, [2, 3])
    again = RemoteTask()  # a retry on another worker, which has produced fewer values than have arrived
    again.add(0)
    assert again.since(2) == (1, [])
    again.add(1)
    assert again.since(2) == (2, [])


@pytest.mark.deep
def test_work_whose_worker_dies_is_begun_again_on_another(house):
    """If a worker is killed during a task, no value is lost, and the handle counts the lost worker."""
    cluster, worker = house
    running, found = TaskHandle(), []
    for pid, k in cluster.stream(steps, 5, tick=silent, running=running):
        if k == 2 and not found:
            os.kill(pid, signal.SIGKILL)
            worker()
        found += [(pid, k)] if k >= 2 else []
    assert found[0][0] != found[-1][0]
    assert [k for pid, k in found if pid == found[-1][0]] == [2, 3, 4]
    assert running.lost == 1


@pytest.mark.deep
def test_a_run_there_is_the_run_also_if_one_of_two_workers_is_killed(house):
    """A bootstrap on two workers equals a local run even if one of them is killed."""
    cluster, _ = house
    data = load_sample("asia").dataset.take(range(300))
    given = {"base": "hc", "n_resamples": 400}  # long enough for several polls
    killed = []

    def tick(_phase: str, done: int, _total: int) -> bool:
        if done >= 5 and not killed:
            killed.append(cluster.call(whose, tick=silent))
            os.kill(killed[0], signal.SIGKILL)
        return True

    there = learn_in_worker(cluster, "bootstrap", data, tick=tick, **given)
    assert killed
    check_same(there, learn("bootstrap", data, **given))


def whose(*, tick: Tick) -> int:
    """Return the process ID of the worker."""
    tick("asked", 0, 0)
    return os.getpid()


@pytest.mark.deep
def test_a_worker_of_another_version_says_so(house, monkeypatch):
    cluster, _ = house
    monkeypatch.setattr(clusters, "__version__", "9.9")
    with pytest.raises(ParameterError, match=r"the same Edgewise, found .* on a worker and 9\.9 here"):
        cluster.call(whose, tick=silent)


@pytest.mark.deep
def test_the_example_of_the_docstring_runs(house):
    """The example in the docstring of `Cluster` runs with a scheduler without TLS."""
    cluster, _ = house
    (block,) = blocks(Path(clusters.__file__))
    asia = load_sample("asia").dataset
    names = {"dataset": asia}
    block = block.replace("tls://10.0.0.1:8786", cluster._address).replace(", security=files", "")
    exec(block, names)
    check_same(names["result"], learn("pc", asia))
