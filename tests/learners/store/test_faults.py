"""Tests of store faults, which are named and logged once, and of the recovery of damaged databases."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from learners.store import faults, projects, runs, workspaces
from learners.store.faults import DAMAGED, FULL, LOCKED, READ_ONLY, UNREACHABLE, StoreFault, fault_of
from learners.store.monitor import ClockWatch, StoreMonitor
from learners.store.settings import StoreSettings
from learners.store.sqlite_file import COPY, EMPTY, REBUILT
from learners.store.store import Store

SECRET = "a" * 32  # the address of a workspace

NOBODY = 65534
pytestmark = pytest.mark.compiled  # no test here depends on kernels, so one run suffices


class Watched:
    """The store of a folder as the server opens it, with its log."""

    def __init__(self, folder: Path) -> None:
        self.log: list[dict] = []
        self.now = 100.0  # time of the clock in seconds
        self.path = folder / "edgewise.sqlite"
        self.health = StoreMonitor(StoreSettings(f"sqlite:///{self.path}", folder), self.note, clock=lambda: self.now)

    def note(self, event: str, **about: object) -> None:
        self.log.append({"event": event, **about})

    @property
    def store(self) -> Store:
        return self.health.store

    def begin(self, secret: str = SECRET, name: str = "P") -> str:
        """Create a workspace with a project, a table and a run, and return its id."""
        workspace = workspaces.make(self.store, secret).id
        project = projects.create(self.store, workspace, name)
        table = self.store.put(workspace, b"table")
        runs.add(self.store, workspace, project, workspace, "run", b"order", [table], b"result")
        return workspace


@pytest.fixture
def watched(tmp_path: Path):
    """Yield a writable store."""
    one = Watched(tmp_path)
    yield one
    if one.store:
        one.store.close()


def fill(store: Store) -> Callable[[], None]:
    """Prevent database and files from growing, as on a full disk; return a function that ends this."""

    def refuse() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def limit(pages: int) -> None:
        with store.engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def make_room() -> None:
        del store.blobs.check
        limit(2**30)

    store.blobs.check = refuse
    limit(1)
    return make_room


def forbid(store: Store) -> Callable[[], None]:
    """Forbid all writes; return a function that allows them."""

    def set_to(what: str) -> None:
        with store.engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA query_only = {what}")

    set_to("ON")
    return lambda: set_to("OFF")


def lock(store: Store) -> Callable[[], None]:
    """Lock the database as another program would; return a function that releases the lock."""
    other = sqlite3.connect(store.file.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    return other.close


def hide(store: Store) -> Callable[[], None]:
    """Move the folder away, as if its disk were not mounted; return a function that restores it."""
    folder = store.file.path.parent
    away = folder.with_name("away")
    folder.rename(away)
    return lambda: away.rename(folder)


@pytest.mark.parametrize(("cause", "fault"), [(fill, FULL), (forbid, READ_ONLY), (lock, LOCKED), (hide, UNREACHABLE)])
def test_outage_is_named_logged_once_with_its_end_and_then_work_is_saved_again(tmp_path, cause, fault):
    """An outage is logged once, with its end; readable data can be read during it, and only `look` retries."""
    (folder := tmp_path / "data").mkdir()
    watched = Watched(folder)
    workspace = watched.begin()
    (project,) = [one.id for one in projects.listed(watched.store, workspace)]
    end = cause(watched.store)
    for _ in range(3):
        with pytest.raises(StoreFault, match=fault.said):
            projects.save(watched.store, workspace, project, bytes(100_000), [])
        watched.health.look()
        assert watched.health.fault == fault
    if fault.readable:
        assert runs.read(watched.store, workspace, [workspace])[0].result == b"result"
    else:
        with pytest.raises(StoreFault, match=fault.said):
            runs.read(watched.store, workspace, [workspace])
    end()
    watched.now += 7.5
    watched.health.look()
    assert watched.health.fault is None
    projects.save(watched.store, workspace, project, bytes(100_000), [])
    watched.health.look()
    about = {"database": "edgewise.sqlite", "fault": fault.name}
    assert watched.log == [
        {"event": "outage began", **about, "remedy": fault.remedy},
        {"event": "outage ended", **about, "seconds": 7.5},
    ]
    assert watched.health.generation == 0
    watched.store.close()


def test_disk_that_is_really_full(tmp_path):
    """On a file system of 4 MB, a full disk is reported, data stay readable, and saving works once there is room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a disk")
    try:
        watched = Watched(folder)
        workspace = watched.begin()
        (folder / "ballast").write_bytes(bytes(2**21))
        with pytest.raises(StoreFault, match=FULL.said):
            watched.store.put(workspace, os.urandom(2**21))
        assert not [path for path in (folder / "parts" / workspace).iterdir() if path.name.startswith("tmp")]
        with (folder / "rest").open("wb", buffering=0) as rest, suppress(OSError):
            while True:
                rest.write(bytes(4096))
        watched.health.look()
        assert watched.health.fault == FULL
        assert runs.read(watched.store, workspace, [workspace])[0].result == b"result"
        (folder / "ballast").unlink()
        (folder / "rest").unlink()
        watched.health.look()
        assert watched.store.part(workspace, watched.store.put(workspace, b"more")) == b"more"
        watched.store.close()
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def settle(path: Path) -> None:
    """Write the whole write-ahead log into the database, so that damage of the database affects reads."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def spoil_head(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"no database at all")


def spoil_rows(path: Path) -> None:
    """Overwrite the table of workspaces."""
    _overwrite(path, "workspaces")


def spoil_index(path: Path) -> None:
    """Overwrite an index, so that each row can still be read."""
    _overwrite(path, "sqlite_autoindex_workspaces_2")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _overwrite(path: Path, name: str) -> None:
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


DAMAGES = [
    (spoil_head, COPY),
    (spoil_rows, COPY),
    (spoil_index, REBUILT),
    (empty, COPY),
    (halve, COPY),
]


@pytest.mark.parametrize(("spoil", "recovered"), DAMAGES)
@pytest.mark.parametrize("running", [True, False])
def test_damaged_database_is_replaced_by_its_readable_rows_or_the_backup(tmp_path, spoil, recovered, running):
    """A damaged database is replaced, at the start or at run time, by its readable rows, or else by the backup."""
    watched = Watched(tmp_path)
    workspace = watched.begin()
    watched.health.save_copy()
    later = watched.begin("1" * 32)
    watched.store.engine.dispose()
    settle(watched.path)
    spoil(watched.path)
    spoilt = watched.path.read_bytes()
    if running:
        with pytest.raises(StoreFault):
            workspaces.find(watched.store, SECRET)
    else:
        watched.store.close()
        watched = Watched(tmp_path)
        watched.health.save_copy()  # a server checks the store at its start
    was_open = watched.health.fault is not None
    watched.health.look()
    assert watched.health.fault is None
    assert watched.health.generation == was_open
    assert runs.read(watched.store, workspace, [workspace])[0].result == b"result"
    assert len(runs.read(watched.store, later, [later])) == (recovered == REBUILT)
    (aside,) = [path for path in tmp_path.glob("*.damaged-*") if path.name[-1].isdigit()]
    assert not spoilt or aside.read_bytes() == spoilt  # SQLite writes a header into an empty file
    actual = [(one["event"], one.get("fault", one.get("recovered"))) for one in watched.log]
    assert ("database replaced", recovered) in actual
    watched.store.close()


@pytest.mark.parametrize("running", [True, False])
def test_damaged_database_without_a_copy_is_renamed_and_a_new_one_created(tmp_path, running):
    watched = Watched(tmp_path)
    workspace = watched.begin()
    watched.store.engine.dispose()
    settle(watched.path)
    spoil_head(watched.path)
    if running:
        with pytest.raises(StoreFault):
            workspaces.find(watched.store, SECRET)
        watched.health.look()
    else:
        watched.store.close()
        watched = Watched(tmp_path)
    assert workspaces.find(watched.store, SECRET) is None
    assert watched.begin() != workspace
    assert ("database replaced", EMPTY) in [(one["event"], one.get("recovered")) for one in watched.log]
    assert list(tmp_path.glob("*.damaged-*"))
    watched.store.close()


def test_damage_is_found_by_the_copy_and_does_not_get_into_it(watched):
    """Saving a copy detects damage of the database before a visitor does, and the damage is not copied."""
    workspace = watched.begin()
    watched.health.save_copy()
    good = watched.store.file.copy.read_bytes()
    watched.store.engine.dispose()
    settle(watched.path)
    spoil_rows(watched.path)
    watched.health.save_copy()
    assert watched.health.fault == DAMAGED
    assert watched.store.file.copy.read_bytes() == good
    watched.health.look()
    assert runs.read(watched.store, workspace, [workspace])


def test_forgotten_workspace_is_gone_from_the_copy_too(watched):
    own, other = watched.begin("2" * 32, "name of a project"), watched.begin("3" * 32, "another name")
    watched.health.save_copy()
    assert b"name of a project" in watched.store.file.copy.read_bytes()
    workspaces.forget(watched.store, own)
    raw = watched.store.file.copy.read_bytes()
    assert b"name of a project" not in raw
    assert b"another name" in raw
    assert own.encode() not in raw
    assert other.encode() in raw
    assert list(watched.path.parent.glob("*.new-*")) == []


def test_copy_that_cannot_be_changed_brings_no_workspace_back(watched):
    own = watched.begin()
    watched.store.file.copy.write_bytes(b"no database")
    workspaces.forget(watched.store, own)
    assert not watched.store.file.copy.exists()


def test_damaged_database_stays_while_another_server_uses_it(tmp_path):
    """The log states the fix; the database is replaced once the other server has ended."""
    watched, other = Watched(tmp_path), Watched(tmp_path)
    workspace = watched.begin()
    assert runs.read(other.store, workspace, [workspace])
    watched.health.save_copy()
    for one in (watched, other):
        one.store.engine.dispose()
    settle(watched.path)
    spoil_head(watched.path)
    with pytest.raises(StoreFault):
        workspaces.find(watched.store, SECRET)
    for _ in range(2):
        watched.health.look()
        assert watched.health.fault == DAMAGED
        assert not list(tmp_path.glob("*.damaged-*"))
    other.store.close()
    watched.health.look()
    assert runs.read(watched.store, workspace, [workspace])
    assert [one["event"] for one in watched.log] == ["outage began", "database replaced"]
    watched.store.close()


def test_two_servers_on_a_database_that_one_of_them_replaced(tmp_path):
    """If one of two servers replaces the database, the other one opens the new one and counts a new generation."""
    watched, other = Watched(tmp_path), Watched(tmp_path)
    workspace = watched.begin()
    watched.health.save_copy()
    other.store.file.release()  # simulates a system without locks
    watched.store.fault = DAMAGED
    watched.health.look()
    with pytest.raises(StoreFault, match=UNREACHABLE.said):
        runs.read(other.store, workspace, [workspace])
    other.health.look()
    assert runs.read(other.store, workspace, [workspace])
    assert (watched.health.generation, other.health.generation) == (1, 1)
    for one in (watched, other):
        one.store.close()


def test_store_that_is_not_there_at_the_start_is_opened_when_it_is(tmp_path):
    (tmp_path / "data").write_text("a file where the folder is to be")
    watched = Watched(tmp_path / "data")
    assert (watched.store, watched.health.fault) == (None, UNREACHABLE)
    watched.health.look()
    assert watched.store is None
    (tmp_path / "data").unlink()
    watched.health.look()
    assert watched.health.fault is None
    watched.begin()
    watched.health.look()
    assert [one["event"] for one in watched.log] == ["outage began", "outage ended"]
    watched.store.close()


def as_nobody(work: Callable[[], None]) -> None:
    """Run a function in a process of an unprivileged user, because root may write everywhere."""

    def do() -> None:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        work()

    process = multiprocessing.get_context("fork").Process(target=do)
    process.start()
    process.join()
    assert process.exitcode == 0


@pytest.mark.parametrize("kept", [True, False])
def test_folder_that_cannot_be_written_at_the_start(kept):
    """A read-only folder, with or without a database, is reported and opened once it is writable."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))  # other users cannot enter pytest's folders
    try:
        if kept:
            Watched(folder).store.close()
        folder.chmod(0o555)

        def open_it() -> None:
            watched = Watched(folder)
            assert (watched.store, watched.health.fault) == (None, READ_ONLY)
            watched.health.look()
            assert watched.health.fault == READ_ONLY
            assert [(one["event"], one["fault"]) for one in watched.log] == [("outage began", "read-only")]

        as_nobody(open_it)
        folder.chmod(0o755)
        Watched(folder).store.close()
    finally:
        shutil.rmtree(folder)


def test_database_that_vanishes_is_not_replaced_by_an_empty_one(watched):
    """A database that vanishes is never replaced by an empty one, only by its copy."""
    workspace = watched.begin()
    content = watched.path.read_bytes()
    watched.store.engine.dispose()
    settle(watched.path)
    content = watched.path.read_bytes()
    watched.path.unlink()
    for _ in range(2):
        with pytest.raises(StoreFault, match=UNREACHABLE.said):
            workspaces.find(watched.store, SECRET)
        watched.health.look()
        assert not watched.path.exists()
    watched.path.write_bytes(content)
    watched.health.look()
    assert runs.read(watched.store, workspace, [workspace])
    watched.health.save_copy()
    watched.path.unlink()
    with pytest.raises(StoreFault, match=UNREACHABLE.said):
        workspaces.find(watched.store, SECRET)
    watched.health.look()
    assert runs.read(watched.store, workspace, [workspace])


def test_full_disk_while_a_damaged_database_is_replaced_loses_nothing(watched, monkeypatch):
    """If the disk is full during a replacement, no empty database is used, and the damaged one is not deleted."""
    workspace = watched.begin()
    watched.health.save_copy()
    watched.store.engine.dispose()
    settle(watched.path)
    spoil_head(watched.path)
    with pytest.raises(StoreFault):
        workspaces.find(watched.store, SECRET)

    def refuse(*_given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as now:
        now.setattr(os, "fsync", refuse)
        watched.health.look()
    assert watched.health.fault == FULL
    watched.health.look()
    assert runs.read(watched.store, workspace, [workspace])
    assert list(watched.path.parent.glob("*.new-*")) == []


def raised_by(statement: str, *, state: str | None) -> OperationalError:
    """Return the exception that SQLAlchemy raises when PostgreSQL reports a state."""
    error = psycopg.OperationalError(statement)
    error.sqlstate = state
    return OperationalError(statement, {}, error)


STATES = {
    "53100": FULL,
    "25006": READ_ONLY,
    "42501": READ_ONLY,
    "55P03": LOCKED,
    "XX001": DAMAGED,
    "57P01": UNREACHABLE,
    "08006": UNREACHABLE,
    None: UNREACHABLE,
}


@pytest.mark.parametrize(("state", "fault"), STATES.items())
def test_faults_of_a_database_server_are_distinguished(state, fault):
    assert fault_of(raised_by("select", state=state)) == fault


def test_bug_is_no_fault(watched):
    """Exceptions that are no faults of the store propagate unchanged, and the store stays usable."""
    with pytest.raises(ZeroDivisionError), watched.store.writing():
        raise ZeroDivisionError
    watched.begin()
    with pytest.raises(IntegrityError), watched.store.writing() as connection:
        connection.execute(text("INSERT INTO workspaces SELECT * FROM workspaces"))
    assert watched.health.fault is None


def test_sentences_of_faults_name_no_path_and_each_fault_has_its_own():
    actual = [(one.name, one.said, one.remedy) for one in faults.FAULTS]
    for column in zip(*actual, strict=True):
        assert len(set(column)) == len(faults.FAULTS)
        assert not any("/" in one for one in column)


def test_clock_that_is_set_is_noticed_once():
    now = {"clock": 1e9, "steady": 5.0}
    watch = ClockWatch(lambda: now["clock"], lambda: now["steady"])
    for passed, jump in ((3600.0, 0.0), (1.0, 91 * 86_400.0), (1.0, 0.0), (1.0, -91 * 86_400.0), (1e6, 0.0)):
        now["steady"] += passed
        now["clock"] += passed + jump
        assert watch.has_jumped() == bool(jump)


def test_database_server_that_is_not_there_is_used_once_it_is(postgres, tmp_path):
    """A database server is used once it is available, also after an outage; the log has only its name."""
    socket, log = tmp_path / "socket", []
    home = postgres.partition("host=")[2]
    given = StoreSettings(postgres.replace(home, str(socket)), None)
    health = StoreMonitor(given, lambda event, **about: log.append((event, about["database"])), clock=lambda: 0.0)
    assert (health.store, health.fault) == (None, UNREACHABLE)
    for _ in range(2):
        socket.symlink_to(home)
        health.look()
        assert health.fault is None
        workspace = workspaces.make(health.store, workspaces.new_address()).id
        assert health.store.part(workspace, health.store.put(workspace, b"table")) == b"table"
        health.look()
        socket.unlink()
        health.store.engine.dispose()
        with pytest.raises(StoreFault, match=UNREACHABLE.said):
            health.store.put(workspace, b"more")
    assert log == [("outage began", "postgres"), ("outage ended", "postgres")] * 2 + [("outage began", "postgres")]
    assert health.generation == 0


N_EACH = 8


def add_runs(given: StoreSettings, workspace: str, project: str, first: int) -> None:
    """Save runs as fast as possible, as a server would."""
    store = Store(given)
    for k in range(first, first + N_EACH):
        table = store.put(workspace, b"table")
        runs.begin(store, workspace, project, f"{k:032x}", f"{k}", b"order", [table])
        runs.finish(store, workspace, f"{k:032x}", f"{k}", b"result %d" % k)
        projects.save(store, workspace, project, b"body %d" % k, [table])
    store.close()


@pytest.mark.gate_cases(1)
def test_two_servers_on_one_database_keep_all_runs(given):
    """If two servers use one database, each run has a distinct number, and no run is lost."""
    store = Store(given)
    workspace = workspaces.make(store, SECRET).id
    project = projects.create(store, workspace, "P")
    store.close()  # a forked process must not inherit connections
    context = multiprocessing.get_context("fork")
    servers = [context.Process(target=add_runs, args=(given, workspace, project, 1000 * k)) for k in range(2)]
    for server in servers:
        server.start()
    for server in servers:
        server.join()
        assert server.exitcode == 0
    store = Store(given)
    entries, n = runs.listed(store, workspace, project, most=10**6)
    assert n == 2 * N_EACH
    assert sorted(one.number for one in entries) == list(range(1, n + 1))
    kept = runs.read(store, workspace, [one.id for one in entries])
    assert {(one.entry.title, one.result) for one in kept} == {
        (f"{k}", b"result %d" % k) for first in (0, 1000) for k in range(first, first + N_EACH)
    }
    store.close()
