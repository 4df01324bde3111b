"""Tests of the sandbox: a misbehaving function ends its child process, and the caller gets the reason."""

import io
import subprocess
import sys
import threading

import pytest

from learners.common import sandbox
from learners.common.errors import DataError
from learners.common.sandbox import ChildFailed, run_in_sandbox

pytestmark = pytest.mark.compiled  # these tests run no kernel, so running them without compilation would add nothing

WORKS = """
import os, signal, sys, time
from learners.common.errors import DataError

class Panic(BaseException):
    pass

def echo(file, times=1):
    for _ in range(times):
        yield file.read()
        file.seek(0)

def refuse(file):
    yield b"before"
    raise DataError("column 'ä' is odd; leave it out")

def panic(file):
    yield b"before"
    raise Panic

def crash(file):
    yield b"before"
    os.kill(os.getpid(), signal.SIGSEGV)

def abort(file):
    yield b"before"
    os.abort()

def allocate(file):
    yield b"before"
    yield bytes(bytearray(2 << 30)[:1])

def leave(file):
    yield b"before"
    os._exit(0)

def spin(file):
    yield b"before"
    while True:
        pass

def talk(file):
    print("nothing of this is a frame")
    os.write(1, b"nor is this")
    yield b"before"

def write(file, path):
    with open(path, "wb") as out:
        out.write(b"x")
    yield b"written"

def environment(file):
    yield " ".join(os.environ).encode()

def modules(file):
    yield " ".join(sys.modules).encode()
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a function of the module `WORKS`, which the child finds by PYTHONPATH."""
    (tmp_path / "works.py").write_text(WORKS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def call(function, file=None, max_output=1 << 20, **given):
        return run_in_sandbox("works", function, file or io.BytesIO(b"abc"), max_output=max_output, **given)

    return call


def test_frames_and_refusals_come_back(run, tmp_path):
    """Frames and errors are returned for bytes in memory and for a file, which is read from its beginning."""
    assert run("echo", times=3) == [b"abc"] * 3
    path = tmp_path / "file"
    path.write_bytes(b"abc" * 100_000)
    with path.open("rb") as file:
        file.read(10)
        assert run("echo", file) == [b"abc" * 100_000]
    with pytest.raises(DataError, match="column 'ä' is odd; leave it out"):
        run("refuse")


@pytest.mark.parametrize(
    ("function", "reason"),
    [("panic", "damaged"), ("crash", "damaged"), ("abort", "memory"), ("allocate", "memory"), ("leave", "damaged")],
)
def test_the_death_of_a_child_has_a_reason_and_keeps_what_came_before(run, function, reason):
    """The error gives the cause: an unknown exception, a signal, too much memory, or output without its last frame."""
    with pytest.raises(ChildFailed) as caught:
        run(function)
    assert (caught.value.reason, caught.value.frames) == (reason, [b"before"])


def test_time_is_limited(run, monkeypatch):
    """A child that uses too much processor time is stopped; a busy machine does not use up this limit."""
    monkeypatch.setattr(sandbox, "CPU_SECONDS", 1.0)
    with pytest.raises(ChildFailed) as caught:
        run("spin")
    assert caught.value.reason == "time"


def test_a_child_that_waits_for_ever_is_killed(run, monkeypatch):
    """A waiting child, which uses no processor time, is killed by the limit on elapsed time."""
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 0.2)
    with pytest.raises(ChildFailed) as caught:
        run("spin")
    assert caught.value.reason == "time"


def test_output_is_limited(run):
    with pytest.raises(ChildFailed) as caught:
        run("echo", io.BytesIO(bytes(1 << 20)), max_output=1 << 20, times=5)
    assert (caught.value.reason, len(caught.value.frames)) == ("output", 2)


def test_input_that_nobody_reads_blocks_nothing(run):
    """A child that ends before it has read its whole input does not block the caller."""
    with pytest.raises(ChildFailed):
        run("nothing of this name", io.BytesIO(bytes(10 << 20)))


def test_what_a_library_prints_is_no_output(run):
    """Texts that Python code or C libraries print are not part of the output of a child."""
    assert run("talk") == [b"before"]


def test_a_child_writes_no_file(run, tmp_path):
    """A child cannot write files, so an exploited reader does no damage on the disk."""
    with pytest.raises(ChildFailed):
        run("write", path=str(tmp_path / "out"))


def test_a_child_does_not_know_the_secrets_of_the_server(run, monkeypatch):
    """A child does not inherit environment variables, which contain passwords of databases and logins."""
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    assert b"DATABASE_PASSWORD" not in run("environment")[0].split()


def test_a_child_starts_with_little(run):
    """The child loads neither a compiler nor data frames, which take longer to load than a small file."""
    loaded = set(run("modules")[0].decode().split())
    assert "learners.common.process_limits" in loaded
    assert not loaded & {"numba", "numpy", "pandas", "pyarrow", "scipy", "streamlit", "subprocess"}


def test_a_thread_of_a_program_that_cannot_be_imported_starts_a_child(tmp_path):
    """A thread can start a child although the main program, for example a server, cannot be imported."""
    program = (
        "import io, threading\n"
        "from learners.common.sandbox import run_in_sandbox\n"
        "found = []\n"
        "ask = lambda: found.extend(run_in_sandbox('learners.data.reading.binary_reader', 'unpack', io.BytesIO(b'x'), "
        "max_output=99, most=9, whole=True))\n"
        "thread = threading.Thread(target=ask)\n"
        "thread.start()\n"
        "thread.join()\n"
        "assert found[-1] == b'x'\n"
    )
    home = sandbox.CHILD.parents[2]
    done = subprocess.run([sys.executable, "-"], input=program.encode(), env={"PYTHONPATH": str(home)}, cwd=tmp_path)
    assert done.returncode == 0


def test_no_more_children_than_allowed_run_at_once(run):
    """The number of concurrent children is limited, because each may use the memory of a whole step."""
    started = threading.Event()
    with sandbox.CHILDREN, sandbox.CHILDREN:
        thread = threading.Thread(target=lambda: (started.set(), run("echo")), daemon=True)
        thread.start()
        assert started.wait(10)
        assert not sandbox.CHILDREN.acquire(blocking=False)
        assert thread.is_alive()
    thread.join()
