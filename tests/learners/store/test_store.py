"""Tests of workspaces, projects, runs, parts and links, on SQLite and on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import event, insert, literal, select, text, update

from learners import DataError
from learners.store import (
    projects,
    run_owner,
    runs,
    schema,
    share_links,
    stored_classes,
    stored_lessons,
    workspaces,
)
from learners.store.faults import StoreFault
from learners.store.settings import StoreSettings
from learners.store.store import BlobMissing, Store

pytestmark = pytest.mark.compiled  # no test here depends on kernels, so one run suffices

HEX = "0123456789abcdef" * 2


def ticket(k: int) -> str:
    return f"{k:032x}"


def begun(store: Store, n: int = 1) -> tuple[str, str]:
    """Create a workspace with a project of `n` finished runs, and return their ids."""
    workspace = workspaces.make(store, workspaces.new_address()).id
    project = projects.create(store, workspace, "P")
    for k in range(n):
        table = store.put(workspace, b"table")
        runs.add(store, workspace, project, ticket(k) if n > 1 else workspace, f"run {k}", b"o", [table], b"r%d" % k)
    return workspace, project


def test_database_is_as_the_schema_says(store):
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.schema) == []
    Store(store.settings).engine.dispose()  # opens the existing database again


def test_workspace_is_found_only_by_its_secret_which_is_not_stored(store):
    secret = workspaces.new_address()
    assert workspaces.find(store, secret) is None
    made = workspaces.make(store, secret)
    assert workspaces.make(store, secret) == workspaces.find(store, secret) == made
    with store.reading() as connection:
        rows = connection.execute(schema.workspaces.select()).all()
    assert secret not in repr(rows)


def test_two_sessions_that_make_a_workspace_at_once_have_the_same(store, monkeypatch):
    secret, make, find, made = workspaces.new_address(), workspaces.make, workspaces.find, []

    def find_too_early(_store: Store, _secret: str) -> None:
        monkeypatch.setattr(workspaces, "find", find)
        made.append(make(store, secret))

    monkeypatch.setattr(workspaces, "find", find_too_early)
    assert [make(store, secret)] == made
    assert find(store, secret) == made[0]


ADA = workspaces.Account("https://login.example.org", "ada")


def test_workspace_of_an_account_is_found_only_by_that_account(store):
    """The workspace of an account cannot be found by other accounts, its claims, or an id or hash from the database."""
    made = workspaces.make(store, ADA)
    assert workspaces.make(store, ADA) == workspaces.find(store, ADA) == made
    with store.reading() as connection:
        (row,) = connection.execute(schema.workspaces.select()).all()
    assert ADA.issuer not in repr(row)
    others = [replace(ADA, subject="bob"), replace(ADA, issuer="https://other.example.org")]
    spaced = [workspaces.Account("a b", "c"), workspaces.Account("a", "b c")]
    for words in (f"account {ADA.issuer} {ADA.subject}", repr(ADA), str(ADA), row.secret, row.account, row.id, ""):
        assert workspaces.find(store, words) is None
    assert [workspaces.find(store, one) for one in others + spaced] == [None] * 4
    assert len({workspaces.make(store, one).id for one in [ADA, *others, *spaced]}) == 5


@pytest.mark.parametrize("claims", [("", "ada"), ("https://login.example.org", ""), (None, "ada"), ("x", 5)])
def test_login_without_issuer_or_subject_is_no_account(claims):
    """A login without issuer or subject is refused; otherwise all such logins would share one workspace."""
    with pytest.raises(DataError, match="lacks an issuer or a subject"):
        workspaces.Account(*claims)


def test_text_that_is_no_address_makes_no_workspace(store):
    """Only addresses and accounts create workspaces, so no guessable text leads to one."""
    for words in (
        "",
        "x",
        f"account {ADA.issuer} {ADA.subject}",
        "A" * 32,
        "a" * 31,
        "a" * 33,
        "g" * 32,
        "a" * 32 + "\n",
    ):
        with pytest.raises(DataError, match="is invalid"):
            workspaces.make(store, words)
    with store.reading() as connection:
        assert connection.execute(schema.workspaces.select()).all() == []


def test_owner_of_an_earlier_version_finds_the_workspace_at_the_next_login(store):
    """Version 3 of the schema has one column for addresses and accounts; an account's row moves at its next login."""
    address = workspaces.new_address()
    kept = workspaces.make(store, address)
    claims = f"account {ADA.issuer} {ADA.subject}"
    with store.writing() as connection:
        row = {"id": HEX, "secret": workspaces.hashed(claims), "seen": 0.0, "keeps": True, "opened": "p"}
        connection.execute(insert(schema.workspaces).values(row))
        for step in (
            "DROP INDEX workspaces_account",
            "ALTER TABLE workspaces DROP COLUMN account",
            "DROP TABLE lessons",
            "DROP TABLE classes",
            "UPDATE alembic_version SET version_num = '3'",
        ):
            connection.execute(text(step))
    store.engine.dispose()
    later = Store(store.settings)
    assert workspaces.find(later, address) == kept
    assert workspaces.find(later, claims) is None
    assert workspaces.find(later, replace(ADA, subject="bob")) is None
    assert [workspaces.find(later, ADA) for _ in range(2)] == [workspaces.Workspace(HEX, True, "p")] * 2
    with later.reading() as connection:
        secrets = connection.execute(select(schema.workspaces.c.secret)).scalars().all()
    assert workspaces.hashed(claims) not in secrets
    later.engine.dispose()


def test_name_of_a_part_is_a_hash_and_no_path(store, tmp_path, monkeypatch):
    """A part is named by its hash; a path to a file of the server in a malicious project file is never opened."""
    workspace, _ = begun(store)
    (tmp_path / "own").write_bytes(b"of the server")
    opened = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: opened.append(path) or b"")
    for name in (str(tmp_path / "own"), "/dev/zero", "../own", f"../{workspace}/own", "", None, 5):
        with pytest.raises(DataError, match="missing or damaged"):
            store.part(workspace, name)
    assert opened == []


def test_run_is_there_in_whole_or_as_one_that_stopped(store, monkeypatch):
    workspace, project = begun(store, 0)
    table = store.put(workspace, b"table")
    runs.begin(store, workspace, project, HEX, "first", b"order", [table])
    assert [one.state for one in runs.listed(store, workspace, project)[0]] == ["running"]
    runs.record_progress(store, workspace, HEX, "level 2")
    monkeypatch.setattr(run_owner, "is_alive", lambda *_: False)
    (kept,) = runs.read(store, workspace, [HEX])
    assert (kept.entry.state, kept.entry.said, kept.order, kept.result) == ("stopped", "level 2", b"order", None)
    runs.finish(store, workspace, HEX, "reported", b"result", "3 edges")
    (kept,) = runs.read(store, workspace, [HEX])
    assert (kept.entry.state, kept.entry.title, kept.entry.said, kept.result) == (
        "done",
        "reported",
        "3 edges",
        b"result",
    )
    assert store.part(workspace, table) == b"table"
    runs.stop(store, workspace, HEX, "no room")  # has no effect after the end of the run
    assert runs.read(store, workspace, [HEX]) == [kept]


def test_run_that_ended_without_room_is_not_under_way_and_can_still_be_kept(store):
    workspace, project = begun(store, 0)
    runs.begin(store, workspace, project, HEX, "first", b"order", [])
    runs.stop(store, workspace, HEX, "no room")
    (kept,) = runs.read(store, workspace, [HEX])
    assert (kept.entry.state, kept.entry.said, kept.entry.has_result) == ("stopped", "no room", False)
    runs.finish(store, workspace, HEX, "reported", b"result", "3 edges")
    (kept,) = runs.read(store, workspace, [HEX])
    assert (kept.entry.state, kept.entry.said, kept.result) == ("done", "3 edges", b"result")


def test_process_that_has_ended_is_not_there():
    assert run_owner.is_alive(run_owner.this_process(), 1e9)
    host, pid, began = run_owner.this_process().rsplit(" ", 2)
    assert not run_owner.is_alive(f"{host} {pid} {int(began) - 1}", 0.0)
    assert run_owner.is_alive(f"elsewhere {pid} 0", run_owner.MAX_SILENT_SECONDS / 2)
    for silent in (run_owner.MAX_SILENT_SECONDS, -run_owner.MAX_SILENT_SECONDS, 1e9, -1e9):
        assert not run_owner.is_alive(f"elsewhere {pid} 0", silent)
    assert run_owner.is_alive(f"elsewhere {pid} 0", -run_owner.MAX_SILENT_SECONDS / 2)  # clocks may differ
    assert run_owner.is_alive(f"{host} {pid} ?", 0.0)  # a system that does not report when a process began
    assert not run_owner.is_alive(f"{host} {pid} ?", run_owner.MAX_SILENT_SECONDS)


def test_run_of_another_machine_goes_on_while_that_gives_signs_of_life(store, monkeypatch):
    workspace, project = begun(store, 0)
    state = lambda: runs.listed(store, workspace, project)[0][0].state  # noqa: E731
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(run_owner, "this_process", lambda: "elsewhere 1 0")
        runs.begin(store, workspace, project, HEX, "first", b"order", [])
        later = time.time() + run_owner.MAX_SILENT_SECONDS + 1
        elsewhere.setattr(Store, "clock", literal(later))
        assert state() == runs.STOPPED
        runs.heartbeat(store)
        assert state() == runs.RUNNING
        for clock in (later - 86_400, time.time()):  # the clock is set back by a day, then corrected
            elsewhere.setattr(Store, "clock", literal(clock))
            assert state() == runs.STOPPED
            runs.heartbeat(store)
            assert state() == runs.RUNNING
    runs.heartbeat(store)  # this process has no runs, so nothing changes
    assert state() == runs.RUNNING


def test_clocks_of_machines_that_share_a_database_may_differ(store, monkeypatch):
    """With a shared database, the database's clock is used; with SQLite, that of the machine is used."""
    shared = store.engine.dialect.name == "postgresql"
    with store.reading() as connection:
        assert abs(connection.execute(select(store.clock)).scalar() - time.time()) < 60
    workspace, project = begun(store, 0)
    monkeypatch.setattr(run_owner, "this_process", lambda: "elsewhere 1 0")
    runs.begin(store, workspace, project, HEX, "first", b"order", [])
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600.0)
    assert runs.listed(store, workspace, project)[0][0].state == (runs.RUNNING if shared else runs.STOPPED)


def test_parts_go_with_the_last_that_needs_them(store):
    workspace, project = begun(store, 3)
    size, n = workspaces.size(store, workspace)
    assert (size, n) == (len(b"table") + 3 * len(b"r0"), 3)  # the table counts once
    copy = projects.duplicate(store, workspace, project)
    assert workspaces.size(store, workspace) == (size, 6)
    projects.remove(store, workspace, project)
    assert workspaces.size(store, workspace) == (size, 3)
    runs.remove(store, workspace, runs.listed(store, workspace, copy)[0][0].id)
    assert workspaces.size(store, workspace) == (size - 2, 2)
    projects.remove(store, workspace, copy)
    assert workspaces.size(store, workspace) == (0, 0)


def test_part_that_another_session_tidied_up_is_missed_before_a_row_names_it(store):
    workspace, project = begun(store)
    fresh = store.put(workspace, b"fresh")
    projects.save(store, workspace, project, b"", [])
    for keep in (
        lambda: runs.begin(store, workspace, project, HEX, "x", b"", [fresh]),
        lambda: runs.add(store, workspace, project, HEX, "x", b"", [fresh], b"r"),
        lambda: projects.save(store, workspace, project, b"", [fresh]),
    ):
        with pytest.raises(BlobMissing):
            keep()
        store.put(workspace, b"fresh")
        keep()
        runs.remove(store, workspace, HEX)


def test_file_goes_only_once_nothing_can_bring_its_row_back(tmp_path, monkeypatch):
    store = Store(StoreSettings(f"sqlite:///{tmp_path / 'edgewise.sqlite'}", tmp_path))
    workspace, project = begun(store)
    table = store.put(workspace, b"other")
    projects.save(store, workspace, project, b"", [table])
    keep_only = store.blobs.keep_only

    def killed(*given: object) -> bool:
        keep_only(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(store.blobs, "keep_only", killed)
        with pytest.raises(KeyboardInterrupt):
            projects.save(store, workspace, project, b"", [])
    assert store.part(workspace, table) == b"other"
    (tmp_path / "parts" / workspace / "tmpleft").write_bytes(b"of a process that was killed")
    runs.begin(store, workspace, project, "e" * 32, "first", b"order", [])
    left = store.blobs.left(workspace, "e" * 32)
    left.write_bytes(b"what its worker had")
    projects.save(store, workspace, project, b"", [])
    assert left.exists()  # the store has not been opened yet
    runs.finish(store, workspace, "e" * 32, "first", left.read_bytes())
    projects.save(store, workspace, project, b"", [store.put(workspace, b"another")])
    projects.save(store, workspace, project, b"", [])
    assert not left.exists()
    assert len(list((tmp_path / "parts" / workspace).iterdir())) == 3  # the table of the run, and two results
    store.engine.dispose()


def test_forgotten_workspace_leaves_nothing(store, tmp_path):
    workspace, project = begun(store)
    share_links.create(store, workspace, "x", [workspace], "inspect", 1)
    stored_lessons.add(store, workspace, "T", "# T")
    stored_classes.keep(store, workspace, "code", b"body", 60)
    workspaces.forget(store, workspace)
    with store.reading() as connection:
        left = {table.name: connection.execute(table.select()).all() for table in schema.schema.sorted_tables}
    assert left == dict.fromkeys(left, [])
    assert [path for path in tmp_path.rglob("*") if workspace in str(path)] == []
    with pytest.raises(DataError, match="workspace was deleted"):
        projects.rename(store, workspace, project, "back")


def test_nobody_forgets_the_files_of_all(store):
    workspace, _ = begun(store)
    workspaces.forget(store, "")
    assert store.part(workspace, store.put(workspace, b"table")) == b"table"
    assert runs.read(store, workspace, [workspace])[0].result == b"r0"


def test_old_workspaces_go(store):
    old, new = begun(store)[0], begun(store)[0]
    with store.writing() as connection:
        own = schema.workspaces.c.id == old
        connection.execute(update(schema.workspaces).where(own).values(seen=time.time() - 91 * workspaces.DAY))
    assert workspaces.sweep(store) == 1
    assert workspaces.size(store, new)[1] == 1
    assert workspaces.size(store, old) == (0, 0)


def test_full_workspace_says_so_and_keeps_what_it_has(given):
    store = Store(replace(given, runs=2, megabytes=1))
    workspace, project = begun(store, 2)
    with pytest.raises(DataError, match="at most|may hold 2 runs"):
        runs.begin(store, workspace, project, HEX, "x", b"", [])
    with pytest.raises(DataError, match="1 MB"):
        store.put(workspace, bytes(1024**2))
    with pytest.raises(DataError, match="may hold 2 runs"):
        projects.duplicate(store, workspace, project)
    assert workspaces.size(store, workspace)[1] == 2
    store.engine.dispose()


def test_a_stranger_finds_nothing_by_the_ids_of_others(store):
    """Calls for one workspace with the ids of another behave as if these ids did not exist."""
    own, project = begun(store)
    stranger = begun(store, 0)[0]
    before = workspaces.size(store, own)
    part = store.put(own, b"secret")
    asked: list[Callable[[], object]] = [
        lambda: projects.body(store, stranger, project),
        lambda: projects.use(store, stranger, project),
        lambda: projects.rename(store, stranger, project, "mine"),
        lambda: projects.save(store, stranger, project, b"", []),
        lambda: projects.duplicate(store, stranger, project),
        lambda: projects.remove(store, stranger, project),
        lambda: runs.begin(store, stranger, project, HEX, "x", b"", []),
        lambda: runs.finish(store, stranger, own, "x", b""),
        lambda: share_links.create(store, stranger, "x", [own], "inspect", 1),
        lambda: store.part(stranger, part),
    ]
    for ask in asked:
        with pytest.raises(DataError):
            ask()
    assert runs.read(store, stranger, [own]) == []
    assert runs.listed(store, stranger, project) == ([], 0)
    runs.remove(store, stranger, own)
    assert workspaces.size(store, own)[1] == before[1]
    assert [one.name for one in projects.listed(store, own)] == ["P"]


def test_link_leads_to_its_runs_until_it_ends_or_is_withdrawn(store, monkeypatch):
    workspace, _ = begun(store)
    address = share_links.create(store, workspace, "mine", [workspace], "inspect?step=3", 2)
    found = share_links.find(store, address)
    assert (found.workspace, found.runs, found.place) == (workspace, (workspace,), "inspect?step=3")
    assert share_links.listed(store, workspace) == [found]
    bare = share_links.find(store, share_links.create(store, workspace, "mine", [workspace], "inspect", 1, data=False))
    assert (found.data, bare.data) == (True, False)
    share_links.withdraw(store, workspace, bare.secret)
    assert address not in repr(found)
    for wrong in ("", "0" * 32, "../..", found.secret):
        with pytest.raises(DataError, match="ended or was withdrawn"):
            share_links.find(store, wrong)
    now = time.time()
    with monkeypatch.context() as later:
        later.setattr(time, "time", lambda: now + 2.1 * workspaces.DAY)
        with pytest.raises(DataError, match="ended"):
            share_links.find(store, address)
    share_links.withdraw(store, workspace, found.secret)
    with pytest.raises(DataError, match="withdrawn"):
        share_links.find(store, address)


def test_a_run_changed_in_its_place_is_one_run_and_links_show_it_as_it_was(store):
    workspace, project = begun(store)
    size, _ = workspaces.size(store, workspace)
    runs.change(store, workspace, workspace, "changed", b"o2", [], b"r1", "2 edges")
    (kept,) = runs.read(store, workspace, [workspace])
    assert (kept.entry.title, kept.order, kept.result, kept.entry.number) == ("changed", b"o2", b"r1", 1)
    assert workspaces.size(store, workspace) == (size - len(b"table"), 1)
    address = share_links.create(store, workspace, "mine", [workspace], "inspect", 1)
    runs.change(store, workspace, workspace, "again", b"o3", [], b"r2", "3 edges")
    (shown,) = runs.read(store, workspace, share_links.find(store, address).runs)
    assert (shown.entry.title, shown.result) == ("changed", b"r1")
    assert sorted(one.number for one in runs.listed(store, workspace, project)[0]) == [1, 2]
    with pytest.raises(DataError, match="was deleted"):
        runs.change(store, workspace, HEX, "x", b"", [], b"", "")


def test_ten_thousand_runs_are_listed_by_the_page(store):
    workspace, project = begun(store, 0)
    about = {"workspace": workspace, "project": project, "state": "done", "began": 0.0, "worker": "", "said": "",
             "order": b"", "tables": ""}  # fmt: skip
    with store.writing(workspace) as connection:
        rows = [{"id": ticket(k), "number": k, "title": f"PC on table {k}", **about} for k in range(10_000)]
        connection.execute(insert(schema.runs), rows)
    statements = []
    event.listen(store.engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
    found, n = runs.listed(store, workspace, project, search="TABLE 77", first=0, most=50)
    assert n == 111
    assert found[0].title == "PC on table 7799"
    assert runs.listed(store, workspace, project)[1] == 10_000
    assert projects.listed(store, workspace)[0].n_runs == 10_000
    assert len(statements) <= 10, statements  # the number of statements does not depend on the number of runs


class Workspaces(RuleBasedStateMachine):
    """A pair of workspaces that is compared with a model of its content."""

    store: Store

    @initialize()
    def begin(self) -> None:
        self.ids = [workspaces.make(self.store, workspaces.new_address()).id for _ in range(2)]
        self.held: list[dict[str, dict[str, bytes]]] = [{}, {}]
        self.names: dict[str, str] = {}
        self.shared: dict[str, tuple[str, str, bytes]] = {}
        self.n = 0

    who = st.integers(0, 1)
    which = st.integers(0, 5)

    def one(self, who: int, which: int) -> str | None:
        known = list(self.held[who])
        return known[which % len(known)] if known else None

    @rule(who=who, name=st.text("ab %_", min_size=1).filter(str.strip))
    def new(self, who: int, name: str) -> None:
        project = projects.create(self.store, self.ids[who], name)
        self.held[who][project], self.names[project] = {}, " ".join(name.split())

    @rule(who=who, which=which, raw=st.binary(max_size=3))
    def add(self, who: int, which: int, raw: bytes) -> None:
        if project := self.one(who, which):
            self.n += 1
            run = f"{self.ids[who][:16]}{self.n:016x}"
            table = self.store.put(self.ids[who], b"t" + raw)
            runs.add(self.store, self.ids[who], project, run, "x", b"", [table], raw)
            self.held[who][project][run] = raw

    @rule(who=who, which=which, raw=st.binary(max_size=3))
    def change(self, who: int, which: int, raw: bytes) -> None:
        """Replace the content of a run; its links still show the old result under another id."""
        if (project := self.one(who, which)) and self.held[who][project]:
            workspace, held, run = self.ids[who], self.held[who][project], next(iter(self.held[who][project]))
            runs.change(self.store, workspace, run, "y", b"", [self.store.put(workspace, b"t" + raw)], raw, "")
            for address, (of, shown, then) in self.shared.items():
                if (of, shown) == (workspace, run):
                    (copy,) = share_links.find(self.store, address).runs
                    held[copy], self.shared[address] = then, (of, copy, then)
            held[run] = raw

    @rule(who=who, which=which, name=st.text("ab %_", min_size=1).filter(str.strip))
    def rename(self, who: int, which: int, name: str) -> None:
        if project := self.one(who, which):
            projects.rename(self.store, self.ids[who], project, name)
            self.names[project] = " ".join(name.split())

    @rule(who=who, which=which)
    def share(self, who: int, which: int) -> None:
        if (project := self.one(who, which)) and self.held[who][project]:
            run, raw = next(iter(self.held[who][project].items()))
            address = share_links.create(self.store, self.ids[who], "x", [run], "inspect", 1)
            self.shared[address] = (self.ids[who], run, raw)

    @rule(which=which)
    def withdraw(self, which: int) -> None:
        if self.shared:
            address = list(self.shared)[which % len(self.shared)]
            of, _, _ = self.shared.pop(address)
            share_links.withdraw(self.store, of, share_links.find(self.store, address).secret)
            with pytest.raises(DataError):
                share_links.find(self.store, address)

    @rule(who=who, which=which)
    def remove_run(self, who: int, which: int) -> None:
        if (project := self.one(who, which)) and self.held[who][project]:
            run = next(iter(self.held[who][project]))
            runs.remove(self.store, self.ids[who], run)
            del self.held[who][project][run]

    @rule(who=who, which=which)
    def duplicate(self, who: int, which: int) -> None:
        if project := self.one(who, which):
            copy = projects.duplicate(self.store, self.ids[who], project)
            entries, _ = runs.listed(self.store, self.ids[who], copy)
            raws = {
                kept.entry.id: kept.result for kept in runs.read(self.store, self.ids[who], [e.id for e in entries])
            }
            assert sorted(raws.values()) == sorted(self.held[who][project].values())
            self.held[who][copy], self.names[copy] = raws, f"Copy of {self.names[project]}"

    @rule(who=who, which=which)
    def remove(self, who: int, which: int) -> None:
        if project := self.one(who, which):
            projects.remove(self.store, self.ids[who], project)
            del self.held[who][project]

    @precondition(lambda self: self.n > 3)
    @rule(who=who)
    def forget(self, who: int) -> None:
        workspaces.forget(self.store, self.ids[who])
        for address in [one for one, (of, _, _) in self.shared.items() if of == self.ids[who]]:
            del self.shared[address]
            with pytest.raises(DataError):
                share_links.find(self.store, address)
        self.ids[who], self.held[who] = workspaces.make(self.store, workspaces.new_address()).id, {}

    @invariant()
    def each_holds_what_is_its_own(self) -> None:
        for workspace, held in zip(getattr(self, "ids", ()), getattr(self, "held", ()), strict=True):
            found = {one.id: one.name for one in projects.listed(self.store, workspace)}
            assert found == {project: self.names[project] for project in held}
            for project, own in held.items():
                kept = runs.read(self.store, workspace, list(own))
                assert {one.entry.id: one.result for one in kept} == own
                assert runs.listed(self.store, workspace, project)[1] == len(own)

    @invariant()
    def each_link_shows_what_was_shared(self) -> None:
        for address, (of, run, raw) in getattr(self, "shared", {}).items():
            found = share_links.find(self.store, address)
            there = any(run in own for own in self.held[self.ids.index(of)].values())
            assert [one.result for one in runs.read(self.store, found.workspace, found.runs)] == [raw] * there


@pytest.mark.gate_cases(1)
def test_operations_on_workspaces_do_what_they_say(store):
    machine = type("Machine", (Workspaces,), {"store": store})
    machine.TestCase.settings = hypothesis_settings(
        max_examples=8, stateful_step_count=15, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    machine.TestCase().runTest()


def test_what_a_later_version_kept_is_not_touched(tmp_path):
    given = StoreSettings(f"sqlite:///{tmp_path / 'kept.sqlite'}", None)
    store = Store(given)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '4711'"))
    with pytest.raises(StoreFault, match="a newer version of Edgewise"):
        Store(given)
