"""Runs of a project: recorded when they start, and completed when they end."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from ..common.errors import DataError
from . import run_owner
from .schema import links, projects, runs
from .store import Store

RUNNING, STOPPED, DONE = "running", "stopped", "done"
GONE = "the run was deleted; choose another one on the Projects page"


class RunGone(DataError):
    """The run was deleted in another session."""

    def __init__(self) -> None:
        super().__init__(GONE)


@dataclass(frozen=True)
class RunEntry:
    """List entry of a run.

    Attributes
    ----------
    id : str
    number : int
    title : str
    state : str
        "running"; "stopped" if it ended early, its process died or fell silent, or nobody fetched its result; "done".
    began : float
        Seconds since 1970.
    said : str
        Progress, or for a finished run its result in a few words.
    has_result : bool
        True if a complete or partial result can be shown.
    here : bool
        True if this process started it.
    """

    id: str
    number: int
    title: str
    state: str
    began: float
    said: str
    has_result: bool
    here: bool


@dataclass(frozen=True)
class StoredRun:
    """Stored run: its entry, its packed order, and its packed result if there is one."""

    entry: RunEntry
    order: bytes
    result: bytes | None


def begin(
    store: Store, workspace: str, project: str, run: str, title: str, order: bytes, tables: Collection[str]
) -> None:
    """Record that a run of this process started.

    Parameters
    ----------
    run : str
        Id, 32 hexadecimal digits.
    order : bytes
        Packed order of the run.
    tables : collection of str
        Hashes of the tables that the order needs.
    """
    with store.writing(workspace) as connection:
        store.check_parts(connection, workspace, tables)
        number = _next_number(store, connection, workspace, project)
        row = {"number": number, "title": title, "order": order, "tables": tables, "state": RUNNING}
        _add(store, connection, workspace, project, run, **row)


def heartbeat(store: Store) -> None:
    """Update the heartbeat of all running runs of this process."""
    with store.writing() as connection:
        own = (runs.c.state == RUNNING) & (runs.c.worker == run_owner.this_process())
        connection.execute(update(runs).where(own).values(beat=store.clock))


def record_progress(store: Store, workspace: str, run: str, said: str) -> None:
    """Record the progress of a run."""
    with store.writing(workspace) as connection:
        own = (runs.c.workspace == workspace) & (runs.c.id == run) & (runs.c.state == RUNNING)
        connection.execute(update(runs).where(own).values(said=said))


def stop(store: Store, workspace: str, run: str, said: str) -> None:
    """Record that a run ended without a result; `finish` may still follow."""
    with store.writing(workspace) as connection:
        own = (runs.c.workspace == workspace) & (runs.c.id == run) & (runs.c.state == RUNNING)
        connection.execute(update(runs).where(own).values(state=STOPPED, said=said))


def finish(
    store: Store, workspace: str, run: str, title: str, result: bytes, said: str = "", *, stopped: bool = False
) -> None:
    """Store the result of a run that was started; partial if `stopped`."""
    with store.writing(workspace) as connection:
        _finish(store, connection, workspace, run, title, result, said, STOPPED if stopped else DONE)


def _finish(
    store: Store, connection: Connection, workspace: str, run: str, title: str, result: bytes, said: str, state: str
) -> None:
    store.check_room(connection, workspace, len(result))
    name = store.blobs.put(connection, workspace, result)
    own = (runs.c.workspace == workspace) & (runs.c.id == run)
    values = {"state": state, "title": title, "result": name, "said": said}
    if connection.execute(update(runs).where(own).values(values)).rowcount == 0:
        raise RunGone


def add(
    store: Store,
    workspace: str,
    project: str,
    run: str,
    title: str,
    order: bytes,
    tables: Collection[str],
    result: bytes,
    said: str = "",
    *,
    stopped: bool = False,
) -> None:
    """Store a finished run, whether or not its start was stored; leave finished runs unchanged."""
    ended = STOPPED if stopped else DONE
    with store.writing(workspace) as connection:
        begun = connection.execute(select(runs.c.result).where(runs.c.id == run)).first()
        if begun and begun.result is None:
            _finish(store, connection, workspace, run, title, result, said, ended)
        if begun:
            return
        store.check_parts(connection, workspace, tables)
        number = _next_number(store, connection, workspace, project)
        store.check_room(connection, workspace, len(result))
        name = store.blobs.put(connection, workspace, result)
        row = {"number": number, "title": title, "order": order, "tables": tables, "state": ended, "said": said}
        _add(store, connection, workspace, project, run, result=name, **row)


def change(
    store: Store, workspace: str, run: str, title: str, order: bytes, tables: Collection[str], result: bytes, said: str
) -> None:
    """Replace a stored run by another run; links keep showing the old run."""
    with store.tidying(workspace) as connection:
        store.check_parts(connection, workspace, tables)
        store.check_room(connection, workspace, len(result))
        _keep_for_links(store, connection, workspace, run)
        name = store.blobs.put(connection, workspace, result)
        values = {"title": title, "order": order, "tables": " ".join(sorted(tables)), "result": name, "said": said}
        own = (runs.c.workspace == workspace) & (runs.c.id == run)
        if connection.execute(update(runs).where(own).values(values)).rowcount == 0:
            raise RunGone


def _keep_for_links(store: Store, connection: Connection, workspace: str, run: str) -> None:
    """Copy a run that links show under a new id, and point those links to the copy."""
    of = select(links.c.secret, links.c.runs).where(links.c.workspace == workspace, links.c.runs.contains(run))
    shared = connection.execute(of).all()
    row = connection.execute(select(runs).where(runs.c.workspace == workspace, runs.c.id == run)).first()
    if not shared or row is None:
        return
    copy = secrets.token_hex(16)
    number = _next_number(store, connection, workspace, row.project)
    connection.execute(insert(runs).values({**row._mapping, "id": copy, "number": number}))
    for link in shared:
        shows = " ".join(copy if one == run else one for one in link.runs.split())
        connection.execute(update(links).where(links.c.secret == link.secret).values(runs=shows))


def _add(store: Store, connection: Connection, workspace: str, project: str, run: str, **values: object) -> None:
    row = {"said": "", "began": time.time(), "worker": run_owner.this_process(), "beat": store.clock} | values
    row["tables"] = " ".join(sorted(row["tables"]))
    connection.execute(insert(runs).values(id=run, workspace=workspace, project=project, **row))


def _next_number(store: Store, connection: Connection, workspace: str, project: str) -> int:
    """Return the number of the next run; raise DataError if the project does not exist or is full."""
    of = select(projects.c.id).where(projects.c.workspace == workspace, projects.c.id == project)
    if connection.execute(of).scalar() is None:
        raise DataError("the project was deleted; choose another one on the Projects page")
    check_room(store, connection, workspace, 1)
    return (connection.execute(select(func.max(runs.c.number)).where(runs.c.project == project)).scalar() or 0) + 1


def check_room(store: Store, connection: Connection, workspace: str, more: int = 0) -> None:
    """Raise DataError if this many further runs would exceed the limit."""
    most = store.settings.runs
    if connection.execute(select(func.count()).where(runs.c.workspace == workspace)).scalar() + more > most:
        raise DataError(f"the workspace is full, it may hold {most:,} runs; delete some on the Projects page")


def listed(
    store: Store, workspace: str, project: str, *, search: str = "", first: int = 0, most: int = 50
) -> tuple[list[RunEntry], int]:
    """Return a page of the runs whose title contains a text, the newest first, and their total number."""
    of = _of(store, workspace, project)
    if search:
        of = of.where(func.lower(runs.c.title).contains(search.lower(), autoescape=True))
    with store.reading() as connection:
        n = connection.execute(select(func.count()).select_from(of.subquery())).scalar()
        rows = connection.execute(of.order_by(runs.c.number.desc()).offset(first).limit(most)).all()
    return [_entry(row) for row in rows], n


def _of(store: Store, workspace: str, project: str) -> Select:
    named = ("id", "number", "title", "state", "began", "said", "worker", "beat", "result")
    columns = (*(runs.c[name] for name in named), store.clock.label("now"))
    return select(*columns).where(runs.c.workspace == workspace, runs.c.project == project)


def _entry(row: object) -> RunEntry:
    state = row.state if row.state != RUNNING or run_owner.is_alive(row.worker, row.now - row.beat) else STOPPED
    here = row.worker == run_owner.this_process()
    return RunEntry(row.id, row.number, row.title, state, row.began, row.said, row.result is not None, here)


def read(store: Store, workspace: str, wanted: Sequence[str]) -> list[StoredRun]:
    """Return some stored runs in the given order; deleted ones are left out."""
    with store.reading() as connection:
        now = store.clock.label("now")
        of = select(runs, now).where(runs.c.workspace == workspace, runs.c.id.in_(list(wanted)))
        rows = {row.id: row for row in connection.execute(of)}
        return [
            StoredRun(
                _entry(rows[run]),
                bytes(rows[run].order),
                store.blobs.get(connection, workspace, rows[run].result) if rows[run].result else None,
            )
            for run in wanted
            if run in rows
        ]


def remove(store: Store, workspace: str, run: str) -> None:
    """Delete a run."""
    with store.tidying(workspace) as connection:
        connection.execute(delete(runs).where(runs.c.workspace == workspace, runs.c.id == run))
