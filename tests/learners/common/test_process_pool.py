"""Tests of worker processes: progress, cancellation, killed and crashed workers, and memory-mapped tables."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from learners.common.errors import DataError
from learners.common.mapped_arrays import temporary_file
from learners.common.memory import MEGABYTE, machine_mb, release_memory, resident_mb
from learners.common.process_pool import ProcessPool, TaskHandle, WorkerLost
from learners.common.progress import Tick, silent
from learners.common.shared_memory import load_shared, share
from learners.common.worker_process import NICENESS
from tests.polling import hang, pause, wait_until
from tests.schedulers import ROOT

pytestmark = pytest.mark.compiled  # these tests run no kernel, so running them without compilation would add nothing

PATIENCE = 300.0  # seconds until a cancelled worker is killed: the machine may be busy


def niceness(*, tick: Tick) -> int:
    """Return the niceness of the process."""
    tick("asked", 0, 0)
    return os.nice(0)


def whose(*, tick: Tick) -> int:
    """Return the process ID of the worker."""
    assert tick("asked", 1, 2)
    return os.getpid()


def until_reported(*, tick: Tick) -> str:
    """Run until cancelled."""
    while tick("at it", 7, 9):
        pause()
    return "partial"


def deaf(*, tick: Tick) -> None:
    """Ignore a cancellation."""
    tick("deaf", 0, 0)
    hang()


def dies(*, tick: Tick) -> None:
    """Kill the current process, as the system does when memory runs out."""
    tick("dying", 0, 0)
    os.kill(os.getpid(), signal.SIGKILL)


def refuses(error: Exception, *, tick: Tick) -> None:
    """Raise the given error."""
    tick("refusing", 0, 0)
    raise error


def leaves(folder: str, *, tick: Tick) -> str:
    """Mark the start with a file, run until cancelled, and return a partial result."""
    Path(folder, "at work").touch()
    return until_reported(tick=tick)


def leave(folder: str, value: str) -> None:
    """Save a partial result."""
    Path(folder, "left").write_text(value)


def total(path: str, *, tick: Tick) -> tuple[float, bool]:
    """Return the sum of a mapped array, and True if the array is writeable."""
    tick("adding", 0, 0)
    value = load_shared(path)["numbers"]
    return float(value.sum()), value.flags.writeable


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPool]:
    one = ProcessPool(2, patience=PATIENCE)
    yield one
    one.close()


def test_work_is_done_elsewhere_and_the_process_is_kept(workers):
    """Work is done in another process, which reports progress and is used for the second call, too."""
    heard, running = [], TaskHandle()

    def tick(*progress: object) -> bool:
        heard.append((progress, running.pid))
        return True

    pid = workers.call(whose, tick=tick, running=running)
    assert pid not in (0, os.getpid())
    assert all(at == pid for _, at in heard)
    assert (workers.call(whose, tick=silent), running.pid) == (pid, 0)
    assert workers.resident_mb() > 10


def test_what_it_has_found_is_handed_over_once_it_is_cancelled(workers):
    """A cancelled task returns its partial result, and the process can be used again."""
    pid = workers.call(whose, tick=silent)
    assert workers.call(until_reported, tick=lambda phase, *_: phase != "at it") == "partial"
    assert workers.call(whose, tick=silent) == pid


def test_one_that_does_not_hear_is_killed():
    """A worker that ignores a cancellation is killed and reported; the next task gets a new process."""
    impatient = ProcessPool(1, patience=0.1)
    with pytest.raises(WorkerLost, match="did not stop within 0.1 s of being cancelled"):
        impatient.call(deaf, tick=lambda phase, *_: phase != "deaf")
    assert impatient.call(whose, tick=silent)
    impatient.close()


def test_a_crash_loses_only_its_own_task(workers):
    """A crash affects one task, whose error reports the exit of the process; the next task gets a new process."""
    with pytest.raises(WorkerLost, match=r"ended unexpectedly \(signal 9\)"):
        workers.call(dies, tick=silent)
    assert workers.call(whose, tick=silent)


@pytest.mark.parametrize("error", [DataError("too few rows"), ZeroDivisionError("by zero")])
def test_an_error_arrives_as_it_was_raised(workers, error):
    """An error of a worker arrives with its type and message; a programming error also carries its traceback."""
    with pytest.raises(type(error), match=str(error)) as caught:
        workers.call(refuses, error, tick=silent)
    assert ("raise error" in "".join(getattr(caught.value, "__notes__", ()))) == isinstance(error, ZeroDivisionError)


def test_what_it_has_is_rescued_if_the_process_that_asked_is_killed(tmp_path):
    """If the parent process is killed, the worker saves its partial result and then ends."""
    ask = (
        "from functools import partial; from tests.learners.common import test_process_pool as here; "
        f"folder = {str(tmp_path)!r}; running = here.TaskHandle(partial(here.leave, folder)); "
        "here.ProcessPool(1).call(here.leaves, folder, tick=here.silent, running=running)"
    )
    asking = subprocess.Popen([sys.executable, "-c", ask], cwd=ROOT)
    wait_until((tmp_path / "at work").exists)
    asking.kill()
    asking.wait()
    wait_until(lambda: (tmp_path / "left").exists() and (tmp_path / "left").read_text() == "partial")


def test_a_worker_leaves_the_processor_to_the_process_that_asked(workers):
    """A worker has the lowest priority, so the app stays responsive; the app keeps its own priority."""
    before = os.nice(0)
    assert workers.call(niceness, tick=silent) == min(before + NICENESS, 19)
    assert os.nice(0) == before


def test_work_without_memory_ends_in_a_sentence(workers):
    """A task that runs out of memory raises an error with a clear message, and its process is kept."""
    pid = workers.call(whose, tick=silent)
    with pytest.raises(DataError, match="^the work needs more memory than its process can get"):
        workers.call(refuses, MemoryError("Unable to allocate"), tick=silent)
    assert workers.call(whose, tick=silent) == pid


def test_a_process_that_died_meanwhile_is_not_taken(workers):
    """A process that was killed from outside while idle is not used for the next task."""
    pid = workers.call(whose, tick=silent)
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert workers.call(whose, tick=silent) != pid


def test_arrays_are_mapped_and_not_copied(workers):
    """Arrays are read-only and arrive together with the rest of the value; the file is removed."""
    value = {"numbers": np.arange(1e5), "turned": np.arange(6.0).reshape(2, 3).T, "name": "ä"}
    with share(value) as path:
        assert workers.call(total, path, tick=silent) == (value["numbers"].sum(), False)
        found = load_shared(path)
    assert found["name"] == "ä"
    for name in ("numbers", "turned"):
        np.testing.assert_array_equal(found[name], value[name])
    assert not os.path.exists(path)


def test_memory_is_read_where_the_system_reports_it():
    """On Linux the memory of a process is a few MB, at most that of the machine, and 0 after the process has ended."""
    release_memory()
    assert 10 < resident_mb() < machine_mb()
    assert resident_mb(2**22 + 1) == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not report memory")
def test_pages_of_files_do_not_count_as_memory(monkeypatch):
    """A mapped file adds nothing to the memory of a process, and an array of the same size adds its size."""
    monkeypatch.delenv("TMPDIR", raising=False)
    release_memory()
    mb, held = 48, resident_mb()
    with temporary_file(mb * MEGABYTE) as file, mmap.mmap(file.fileno(), mb * MEGABYTE) as pages:
        pages[:: mmap.PAGESIZE] = bytes(len(pages) // mmap.PAGESIZE)
        assert abs(resident_mb() - held) < mb / 4
    in_memory = np.ones(mb * MEGABYTE, dtype=np.uint8)
    assert resident_mb() - held > 3 * in_memory.nbytes / MEGABYTE / 4
