"""Tests of a store outage: its messages, and the saves after the recovery."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from learners.store import faults, project_file, projects, runs, workspaces
from learners.store.background_writer import BackgroundWriter
from learners.store.faults import DAMAGED, FAULTS, FULL, UNREACHABLE, Fault
from learners.store.monitor import StoreMonitor
from learners.store.settings import StoreSettings
from learners.store.store import Store
from pages.session import autosave, lost_session, storage, workspace
from pages.session.jobs import ownership
from tests.pages.driving import (
    PAGES,
    errors,
    finish_run,
    go,
    learn_now,
    open_app,
    plain,
    press,
    small_table,
    sound,
    upload,
)

OWN = "a" * 32


class House:
    """A server whose store can fail and recover."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.log, self._monkeypatch = folder, [], monkeypatch
        self.refusing = pytest.MonkeyPatch()
        self.writer = BackgroundWriter()
        self.start()
        monkeypatch.setattr(storage, "writer", lambda: self.writer)
        monkeypatch.setattr(storage, "health", lambda: self.health)
        monkeypatch.setattr(workspace, "address", lambda: OWN)

    def start(self) -> None:
        """Start or restart the server, with empty queues."""
        for name in ("held", "unkept", "begun"):
            self._monkeypatch.setattr(storage, name, {})
        settings = StoreSettings(f"sqlite:///{self.folder / 'edgewise.sqlite'}", self.folder)
        self.health = StoreMonitor(settings, lambda event, **_about: self.log.append(event))

    @property
    def store(self) -> Store:
        return self.health.store

    def fail(self, fault: Fault = UNREACHABLE) -> None:
        """Start an outage."""

        def refuse(*_given: object, **_named: object) -> None:
            raise faults.StoreFault(fault)

        self.store.fault = fault
        self.refusing.setattr(Store, "check", refuse)
        self.refusing.setattr(StoreMonitor, "_open", refuse)

    def recover(self) -> None:
        """End the outage, and let the server check its store, as it does every few seconds."""
        self.refusing.undo()
        self.look()

    def look(self) -> None:
        self.health.look()
        if self.health.fault is None:
            storage.try_held()
        self.writer.wait()

    def projects(self) -> dict[str, list[str]]:
        """Return the titles of each saved project's runs, by project name."""
        self.writer.wait()
        workspace = workspaces.find(self.store, OWN).id
        found = projects.listed(self.store, workspace)
        titles = {one.name: runs.listed(self.store, workspace, one.id)[0] for one in found}
        return {name: [run.title for run in reversed(entries)] for name, entries in titles.items()}

    def spoil(self) -> None:
        """Damage the database so that nothing in it can be read."""
        self.writer.wait()
        self.store.engine.dispose()
        (self.folder / "edgewise.sqlite-wal").unlink(missing_ok=True)
        (self.folder / "edgewise.sqlite").write_bytes(b"no database at all")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Return a server whose store works."""
    (tmp_path / "data").mkdir()
    one = House(tmp_path / "data", monkeypatch)
    yield one
    one.refusing.undo()


def reload(page: str | None = None) -> AppTest:
    """Open a new session in the same browser."""
    storage.writer().wait()
    return sound(open_app(page))


def banner(at: AppTest) -> str:
    """Return the banner's text, empty without a banner."""
    actual = [plain(one.value) for one in at.warning if "is not being saved" in one.value]
    assert len(actual) <= 1
    return actual[0] if actual else ""


def titles(at: AppTest) -> list[str]:
    return [run.title for run in at.session_state["runs"]]


def at_work(name: str = "mine.csv", at: AppTest | None = None) -> AppTest:
    """Open a session with its own table and run."""
    return sound(learn_now(upload(go(at or reload(), "data"), small_table(), name)))


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_page_says_why_nothing_is_saved_and_what_to_do(server, fault):
    at = at_work()
    server.writer.wait()
    server.fail(fault)
    for page in PAGES if fault == FULL else ("start", "projects"):
        actual = banner(sound(go(at, page)))
        assert fault.said in actual
        assert fault.remedy in actual
        assert "export the project" in actual
        assert [one.key for one in at.get("download_button")].count("outage_export") == 1
    server.recover()
    assert not banner(sound(at.run()))
    assert not errors(at)


@pytest.mark.usefixtures("server")
def test_outage_that_begins_while_a_page_is_drawn_is_shown_on_it(monkeypatch):
    """The first click after the outage begins shows the visitor that the work was not saved."""
    at = at_work()
    monkeypatch.setattr(Store, "check_parts", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert FULL.said in banner(press(go(at, "build"), "build_add"))


def test_what_is_made_in_an_outage_is_saved_once_it_is_over(server):
    """A reload shows runs, table and drawing, and the warning disappears."""
    at = at_work()
    server.writer.wait()
    server.fail(FULL)
    at_work("other.csv", at)
    press(go(at, "build"), "build_add")
    shown = titles(at)
    assert server.projects()["mine.csv"] == shown[:2]
    server.recover()
    assert not banner(sound(at.run()))
    assert server.projects()["mine.csv and other.csv"] == shown
    then = reload("build")
    assert titles(then) == shown
    assert then.session_state["source"].title == "other.csv"
    assert then.session_state["build"].draft.edges == at.session_state["build"].draft.edges
    assert not [*errors(then), *then.warning]


@pytest.mark.deep
def test_what_is_made_in_an_outage_is_saved_by_the_server_if_the_page_was_closed(server):
    """The server queues runs and all other pending saves until the recovery."""
    at = at_work()
    server.writer.wait()
    server.fail(FULL)
    learn_now(upload(go(at, "data"), small_table(), "other.csv"))
    shown = titles(at)
    server.recover()
    assert server.projects()["mine.csv and other.csv"] == shown
    then = reload()
    assert titles(then) == shown
    assert then.session_state["source"].title == "other.csv"
    assert not storage.held


@pytest.mark.deep
def test_store_that_was_not_there_when_the_server_started_gets_what_was_made_meanwhile(server, tmp_path):
    """After upload, run and reload, no work on a page is lost, and each page shows the warning until the recovery."""
    server.store.close()
    (tmp_path / "data").rename(tmp_path / "away")
    (tmp_path / "data").write_text("a file where the folder is to be")
    server.start()
    at = at_work()
    for page in ("start", "learn", "projects"):
        assert UNREACHABLE.said in banner(sound(go(at, page)))
    assert any("are unavailable until" in one.value for one in at.info)
    server.look()
    assert UNREACHABLE.said in banner(sound(at.run()))
    (tmp_path / "data").unlink()
    (tmp_path / "away").rename(tmp_path / "data")
    server.look()
    assert not banner(sound(at.run()))
    assert titles(reload()) == titles(at)
    assert list(server.projects().values()) == [titles(at)]
    server.look()
    assert server.log == ["outage began", "outage ended"]


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("only_table", [True, False])
def test_tab_opened_in_an_outage_writes_over_nothing(server, only_table):
    """The tab's work becomes a new project; the other project keeps its table and runs, and both are listed."""
    first = at_work()
    before = server.projects()
    server.fail()
    at = reload("data")
    assert titles(at) != titles(first)
    assert "Your earlier work will be shown then" in banner(at)
    upload(at, small_table(), "other.csv")
    if not only_table:
        learn_now(at)
    server.recover()
    assert not banner(sound(at.run()))
    assert set(server.projects()) == {"mine.csv", "other.csv"}
    assert server.projects()["mine.csv"] == before["mine.csv"]
    assert server.projects()["other.csv"] == titles(at)
    at = sound(go(at, "projects"))
    assert any("a separate project" in one.value for one in at.info)
    workspace = workspaces.find(server.store, OWN).id
    (mine,) = [one.id for one in projects.listed(server.store, workspace) if one.name == "mine.csv"]
    then = sound(press(go(reload(), "projects"), f"projects_open_{mine}"))
    assert then.session_state["source"].title == "mine.csv"
    assert titles(then) == titles(first)


@pytest.mark.deep
def test_tab_opened_in_an_outage_that_made_nothing_shows_the_work_once_it_is_back(server):
    first = at_work()
    server.fail()
    at = go(reload(), "inspect")
    server.recover()
    assert titles(sound(at.run())) == titles(first)
    assert list(server.projects()) == ["mine.csv"]


@pytest.mark.deep
def test_part_that_cannot_be_read_for_a_fault_takes_no_run_from_the_project(server, monkeypatch):
    """If only the disk with the tables fails, the new work becomes another project, and the old one keeps its runs."""
    first = at_work()
    server.writer.wait()
    with monkeypatch.context() as now:
        now.setattr(Path, "read_bytes", lambda _self: (_ for _ in ()).throw(OSError(5, "Input/output error")))
        at = reload("data")
    assert UNREACHABLE.said in banner(at)
    upload(at, small_table(), "other.csv")
    server.look()
    sound(at.run())
    assert server.projects()["mine.csv"] == titles(first)
    assert "other.csv" in server.projects()


@pytest.mark.deep
def test_session_is_not_called_lost_while_the_store_cannot_be_read(server, monkeypatch):
    """The page shows the outage instead, because the session's work may still exist."""
    note = '{"table": "mine.csv", "sample": "", "runs": 1}'
    at_work()
    server.fail()
    monkeypatch.setattr(lost_session.st, "text_input", lambda *_given, **_named: note)
    at = reload()
    assert not any("session was lost" in one.value for one in at.title)
    assert banner(at)


@pytest.mark.deep
@pytest.mark.parametrize("copied", [True, False])
def test_damaged_database_is_replaced_and_what_is_on_screen_is_saved_in_the_new_one(server, copied):
    at = at_work()
    server.writer.wait()
    if copied:
        server.health.save_copy()
    learn_now(at)
    server.spoil()
    assert faults.DAMAGED.said in banner(sound(go(go(at, "projects"), "learn")))
    server.look()
    assert not banner(sound(at.run()))
    assert list(server.projects().values()) == [titles(at)]
    assert titles(reload()) == titles(at)
    assert list(server.folder.glob("*.damaged-*"))


@pytest.mark.deep
def test_run_under_way_while_the_database_is_replaced_is_kept(server, slow_runs):
    at = press(go(upload(reload("data"), small_table()), "learn"), "learn_run")
    server.spoil()
    at.run()
    assert banner(go(at, "projects"))
    server.look()
    slow_runs()
    sound(finish_run(go(at, "learn")))
    assert len(titles(at)) == 2
    assert sorted(titles(reload())) == sorted(titles(at))


def test_place_has_a_project_while_the_next_one_is_made(server, monkeypatch):
    """The workspace keeps its former project until the new one exists, so a session can see that it must save again."""
    here = storage.Place(OWN)
    here.ensure("mine")
    before, during, create = here.project, [], projects.create
    server.spoil()
    server.store.fault = DAMAGED
    server.look()
    monkeypatch.setattr(projects, "create", lambda *given: during.append(here.project) or create(*given))
    here.ensure("mine")
    assert during == [before]
    assert here.project not in ("", before)


@pytest.mark.deep
def test_export_of_the_banner_is_the_project_on_screen(server):
    """The export needs no store, and can be opened after the recovery or elsewhere."""
    at = at_work()
    press(go(at, "inspect"), "inspect_pin")
    server.writer.wait()
    server.fail()
    sound(at.run())
    name, now = "mine.csv", at.session_state[autosave.SEEN]
    raw = autosave._exported(name, now, at.session_state["runs"], data=True)
    server.recover()
    other = workspaces.make(server.store, "b" * 32).id
    made = project_file.import_project(server.store, other, raw)
    assert [one.title for one in reversed(runs.listed(server.store, other, made)[0])] == titles(at)
    assert projects.body(server.store, other, made)


@pytest.mark.deep
def test_run_removed_in_an_outage_is_removed_once_it_is_over(server):
    at = at_work()
    ticket = at.session_state["runs"][-1].ticket
    server.writer.wait()
    server.fail(FULL)
    (remove,) = [one for one in go(at, "learn").button if one.key and one.key.endswith(f"remove_{2}")]
    sound(remove.click().run())
    assert ticket not in [run.ticket for run in at.session_state["runs"]]
    server.recover()
    assert titles(reload()) == titles(at)


@pytest.mark.deep
def test_workspace_is_not_forgotten_in_an_outage_and_that_is_said(server):
    """A request to delete the workspace is refused with a reason, and the session continues to save."""
    at = at_work()
    server.writer.wait()
    server.fail(FULL)
    sound(press(go(at, "projects"), "projects_forget"))
    assert any(FULL.said in one.lower() for one in errors(at)) or any("disk is full" in one for one in errors(at))
    server.recover()
    assert list(server.projects()) == ["mine.csv"]
    learn_now(at)
    assert server.projects()["mine.csv"] == titles(at)


@pytest.mark.deep
def test_two_tabs_that_change_their_projects_at_once_are_both_saved(server, monkeypatch):
    """Pending saves are kept per tab."""
    first = at_work()
    server.fail()
    held: list[AppTest] = [first]
    for name in ("one.csv", "two.csv"):
        monkeypatch.setattr(ownership, "session", lambda name=name: f"tab of {name}")
        held.append(upload(reload("data"), small_table(), name))
    server.recover()
    for n, at in enumerate(held):
        monkeypatch.setattr(ownership, "session", lambda n=n: f"tab again {n}")
        sound(at.run())
    assert set(server.projects()) == {"mine.csv", "one.csv", "two.csv"}


def test_pending_saves_of_many_sessions_are_bounded(monkeypatch):
    """The server keeps only the newest few pending saves, however long the outage lasts."""
    monkeypatch.setattr(storage, "held", {})
    monkeypatch.setattr(storage, "unkept", {})
    writer = BackgroundWriter()
    monkeypatch.setattr(storage, "writer", lambda: writer)

    def refuse() -> None:
        raise faults.StoreFault(FULL)

    for k in range(3 * storage.MAX_HELD):
        storage.keep(f"{k}", OWN, refuse)
    writer.wait()
    assert list(storage.held) == [f"{k}" for k in range(2 * storage.MAX_HELD, 3 * storage.MAX_HELD)]


def test_older_save_never_follows_a_newer_one(server):
    """A newer save of the same item replaces a pending one."""
    done: list[str] = []

    def save(what: str) -> Callable[[], None]:
        def do() -> None:
            if storage.fault() is not None:
                raise faults.StoreFault(FULL)
            done.append(what)

        return do

    server.fail(FULL)
    storage.keep("x", OWN, save("older"))
    server.writer.wait()
    server.refusing.undo()
    server.health.look()
    storage.keep("x", OWN, save("newer"))
    storage.try_held()
    server.writer.wait()
    assert done == ["newer"]
    assert not storage.held


@pytest.mark.deep
@pytest.mark.parametrize("jump", [0.0, 91 * 86_400.0])
def test_clock_set_ahead_deletes_no_workspace(server, jump):
    """A clock jump of three months deletes nothing; a visitor's absence of three months does."""

    class Watch:
        def has_jumped(self) -> bool:
            return bool(jump)

    at_work()
    server.writer.wait()
    with server.store.writing() as connection:
        connection.exec_driver_sql("UPDATE workspaces SET seen = seen - ?", (91 * 86_400.0,))
    assert storage.upkeep(server.health, Watch())
    server.writer.wait()
    with server.store.reading() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM workspaces").scalar()
    assert left == bool(jump)
