"""Tests of the cache of compiled kernels: no stale entry, no repeated compilation, no failure because of the cache."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba import config

from learners.kernels.ci.tail_probabilities import log_chi2_sf
from learners.kernels.compiling import kernel, store

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")

LEAVES = """
from typing import NamedTuple
from numba import types
from numba.extending import overload
from learners.kernels.compiling import kernel

STEP = 1

class Point(NamedTuple):
    x: int
    y: int

@kernel
def step(n):
    return n + STEP

def chosen(n):
    return n

@overload(chosen)
def _chosen(n):
    return lambda n: n * 2
"""
CALLERS = """
import numpy as np
from learners.kernels.compiling import kernel
from .leaves import Point, chosen, step

@kernel
def twice(n):
    return step(step(n))

@kernel
def four_times(n):
    return twice(twice(n))

@kernel
def by_type(n):
    return chosen(n)

@kernel
def made(n):
    return np.zeros(n).sum()

@kernel
def first(point):
    return point.x

@kernel
def alone(n):
    return n - 1
"""
RUN = """
from planned.callers import Point, alone, by_type, first, four_times, twice, step
values = [four_times(0), by_type(1), first(Point(1, 2)), alone(0)]
missed = [one.__name__ for one in (step, twice, four_times, by_type, first, alone) if one.stats.cache_misses]
print(*values, "|", *missed)
"""


class Checkout:
    """A small package of kernels in a folder, run in separate processes with one cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = os.environ | {"EDGEWISE_CACHE": str(folder / "cache"), "PYTHONPATH": f"{folder}:{ROOT}"}
        (folder / "planned").mkdir()
        self.write("__init__", "")
        self.write("leaves", LEAVES)
        self.write("callers", CALLERS)

    def write(self, module: str, text: str) -> None:
        (self.folder / "planned" / f"{module}.py").write_text(text)

    def begin(self, code: str = RUN, **env: str) -> subprocess.Popen:
        command = [sys.executable, "-B", "-c", code]
        return subprocess.Popen(command, env=self.env | env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, code: str = RUN, **env: str) -> str:
        """Run code in a new process and return its output."""
        with self.begin(code, **env) as process:
            said, complaints = process.communicate()
            assert process.returncode == 0, complaints
        return said.strip()

    def entries(self) -> list[Path]:
        return sorted((self.folder / "cache" / "kernels").glob(f"*{store.SUFFIX}"))


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    return Checkout(tmp_path)


ALL = "step twice four_times by_type first alone"


@pytest.mark.deep
def test_a_change_recompiles_the_callers_in_other_files_and_only_those(checkout):
    """Changes of code, constants, named tuples and overloaded types recompile; comments and moved lines do not."""
    assert checkout.run() == f"4 2 1 -1 | {ALL}"
    assert checkout.run() == "4 2 1 -1 |"
    checkout.write("leaves", LEAVES.replace("n + STEP", "n + 2 * STEP"))
    assert checkout.run() == "8 2 1 -1 | step twice four_times by_type"  # any function in an overload's module
    checkout.write("leaves", LEAVES.replace("STEP = 1", "STEP = 3"))
    assert checkout.run() == "12 2 1 -1 | step twice four_times by_type"
    checkout.write("leaves", LEAVES.replace("x: int\n    y: int", "y: int\n    x: int"))
    assert checkout.run() == "4 2 2 -1 | by_type first"
    checkout.write("leaves", LEAVES.replace("n * 2", "n * 5"))
    assert checkout.run() == "4 5 1 -1 | by_type"
    checkout.write("leaves", LEAVES)
    checkout.write("callers", "# A comment\n\n" + CALLERS.replace("n - 1", "n - 7"))
    assert checkout.run() == "4 2 1 -7 | alone"


@pytest.mark.deep
def test_checkouts_share_the_cache(checkout, tmp_path):
    """Two checkouts share cache entries, because the key of a kernel depends on its content and not on its location."""
    checkout.run()
    (tmp_path / "other").mkdir()
    other = Checkout(tmp_path / "other")
    other.env["EDGEWISE_CACHE"] = checkout.env["EDGEWISE_CACHE"]
    assert other.run() == "4 2 1 -1 |"


@pytest.mark.deep
def test_two_processes_at_once_compile_each_kernel_once(checkout):
    """The second process waits for the first and loads the compiled kernels."""
    both = [checkout.begin() for _ in range(2)]
    missed = [name for process in both for name in process.communicate()[0].partition("|")[2].split()]
    assert sorted(missed) == sorted(ALL.split())


@pytest.mark.deep
def test_the_lock_of_a_process_that_was_killed_is_free(checkout):
    """Killing the process that holds the lock lets the waiting process continue."""
    checkout.run()
    hold = f"""
import time
from learners.kernels.compiling import store
with store.alone({checkout.entries()[0].stem!r}):
    print("held", flush=True)
    time.sleep(600)
"""
    holder = checkout.begin(hold)
    assert holder.stdout.readline() == "held\n"
    for path in checkout.entries():
        path.unlink()
    waiting = checkout.begin()
    time.sleep(3)
    assert waiting.poll() is None
    holder.kill()
    assert waiting.communicate()[0].strip() == f"4 2 1 -1 | {ALL}"


@pytest.mark.deep
def test_a_broken_cache_entry_is_recompiled(checkout):
    """Truncated, empty and incompatible cache entries are recompiled."""
    checkout.run()
    entries = checkout.entries()
    assert len(entries) == len(ALL.split())
    for path, content in zip(entries, (b"", b"no entry", *[path.read_bytes()[:99] for path in entries]), strict=False):
        path.write_bytes(content)
    assert checkout.run() == f"4 2 1 -1 | {ALL}"
    assert checkout.run() == "4 2 1 -1 |"


@pytest.mark.deep
def test_a_folder_that_cannot_be_written_is_said_once(checkout):
    """If a file has the name of the cache folder, one warning is given and everything runs."""
    (checkout.folder / "cache").write_text("")
    process = checkout.begin()
    said, complaints = process.communicate()
    assert said.strip() == f"4 2 1 -1 | {ALL}"
    assert complaints.count("compiled kernels cannot be kept in") == 1
    assert "set EDGEWISE_CACHE" in complaints


@pytest.mark.deep
def test_a_full_disk_is_said_with_the_folder_and_holds_no_half_of_an_entry(checkout):
    """A single warning names the folder, no partial entry remains, and everything runs."""
    process = checkout.begin("import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))" + RUN)
    said, complaints = process.communicate()
    kept = checkout.folder / "cache" / "kernels"
    assert said.strip() == f"4 2 1 -1 | {ALL}"
    assert complaints.count(f"compiled kernels cannot be kept in {kept} (File too large)") == 1
    assert [path.name for path in kept.iterdir()] == [store.LOCKS]


@pytest.mark.deep
def test_a_read_only_folder_is_read(checkout, monkeypatch, tmp_path):
    """Entries of a read-only folder, as in a container, are used although nothing can be locked or written."""
    store.save("there-0123456789abcdef0", pickle.dumps((1, 2)))  # stored in the folder of this process
    monkeypatch.setenv("EDGEWISE_CACHE", str(tmp_path / "image"))
    store.save("there-0123456789abcdef0", pickle.dumps((1, 2)))
    monkeypatch.setattr(store.os, "open", _refused)
    monkeypatch.setattr(store.tempfile, "NamedTemporaryFile", _refused)
    store._lock_file.cache_clear()
    store._complain.cache_clear()
    with store.alone("there-0123456789abcdef0"):
        assert store.load("there-0123456789abcdef0", sum) == 3
    with pytest.warns(UserWarning, match="cannot be kept"):
        store.save("new-0123456789abcdef0", b"")
    store._lock_file.cache_clear()
    assert checkout.run(EDGEWISE_CACHE=str(tmp_path / "image")) == f"4 2 1 -1 | {ALL}"


def _refused(*_, **__):
    raise PermissionError(13, "Permission denied")


def test_what_nobody_uses_is_removed(tmp_path, monkeypatch):
    """Entries that nobody has loaded for a month are removed."""
    monkeypatch.setenv("EDGEWISE_CACHE", str(tmp_path))
    for name in ("old-0", "used-0"):
        store.save(name, pickle.dumps(()))
        long_ago = time.time() - (store.UNUSED_DAYS + 1) * store.DAY
        os.utime(store.folder() / (name + store.SUFFIX), (long_ago, long_ago))
    assert store.load("used-0", len) == 0
    for name, used in (("plain-old", False), ("plain-used", True)):
        folder = store.subfolder(name)
        (folder / "index.nbi").touch()
        os.utime(folder, (long_ago, long_ago))
        if used:
            store.subfolder(name)
    store._ready.cache_clear()
    store.save("new-0", pickle.dumps(()))
    assert {path.stem for path in store.folder().iterdir()} == {"used-0", "new-0", "plain-used"}


def test_a_global_that_cannot_be_hashed_is_refused():
    """A global of unknown content is refused, since the cached kernel might be stale."""
    with pytest.raises(TypeError, match="let it read a number, an array"):
        _reads_a_set(1)


ODD = {1, 2}


@kernel
def _reads_a_set(n):
    return n in ODD


def test_kernels_are_pickled_like_functions():
    """A kernel is pickled by reference and keeps its docstring."""
    assert pickle.loads(pickle.dumps(log_chi2_sf)) is log_chi2_sf
    assert log_chi2_sf.__doc__
    assert log_chi2_sf(3.0, 2.0) == pytest.approx(log_chi2_sf.py_func(3.0, 2.0))
    assert np.isfinite(log_chi2_sf(3.0, 2.0))


@pytest.mark.deep
def test_what_a_kernel_calls_is_its_own(checkout):
    """A kernel has copies of the functions it calls, with internal linkage, so that unused arguments are removed."""
    code = (
        "from planned.callers import made; made(1); library = next(iter(made.overloads.values())).library;"
        "others = [one for one in library._final_module.functions if '4made' not in one.name];"
        "print(*{one.linkage.name for one in others if not one.is_declaration})"
    )
    assert checkout.run(code) == "internal"


def test_plain_python_where_numba_is_switched_off(checkout):
    """Without numba's compiler the decorator returns the function unchanged."""
    code = "from planned.callers import twice; print(twice(1), type(twice).__name__)"
    assert checkout.run(code, NUMBA_DISABLE_JIT="1") == "3 function"
