"""Runs of a project: kept when they begin, and whole when they end."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from ..common.errors import DataError
from . import workers
from .schema import projects, runs
from .store import Store

RUNNING, STOPPED, DONE = "running", "stopped", "done"
GONE = "the run is not there any more; choose another one on the Projects page"


@dataclass(frozen=True)
class Entry:
    """What a list shows of a run.

    Attributes
    ----------
    id : str
    number : int
    title : str
    state : str
        "running"; "stopped" if its process ended before it did; "done".
    began : float
        Seconds since 1970.
    said : str
        How far it was; of one that is done what came out.
    """

    id: str
    number: int
    title: str
    state: str
    began: float
    said: str


@dataclass(frozen=True)
class Kept:
    """All that is kept of a run: the entry, what was asked for, and the packed result if it has one."""

    entry: Entry
    order: bytes
    result: bytes | None


def begin(
    store: Store, workspace: str, project: str, run: str, title: str, order: bytes, tables: Collection[str]
) -> None:
    """Keep that a run of this process began.

    Parameters
    ----------
    run : str
        Its id, 32 hexadecimal digits.
    order : bytes
        What was asked for, packed.
    tables : collection of str
        Names of the parts that the order needs.
    """
    with store.writing(workspace) as connection:
        store.check_parts(connection, workspace, tables)
        number = _next_number(store, connection, workspace, project)
        _add(connection, workspace, project, run, number=number, title=title, order=order, tables=tables, state=RUNNING)


def say(store: Store, workspace: str, run: str, said: str) -> None:
    """Keep how far a run is."""
    with store.writing(workspace) as connection:
        own = (runs.c.workspace == workspace) & (runs.c.id == run) & (runs.c.state == RUNNING)
        connection.execute(update(runs).where(own).values(said=said))


def finish(store: Store, workspace: str, run: str, title: str, result: bytes, said: str = "") -> None:
    """Keep what came out of a run that began."""
    with store.writing(workspace) as connection:
        store.check_room(connection, workspace, len(result))
        name = store.parts.put(connection, workspace, result)
        own = (runs.c.workspace == workspace) & (runs.c.id == run)
        values = {"state": DONE, "title": title, "result": name, "said": said}
        if connection.execute(update(runs).where(own).values(values)).rowcount == 0:
            raise DataError(GONE)


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
) -> None:
    """Keep a run that has ended already; one that is kept is left as it is."""
    with store.writing(workspace) as connection:
        if connection.execute(select(runs.c.id).where(runs.c.id == run)).scalar() is not None:
            return
        store.check_parts(connection, workspace, tables)
        number = _next_number(store, connection, workspace, project)
        store.check_room(connection, workspace, len(result))
        name = store.parts.put(connection, workspace, result)
        told = {"number": number, "title": title, "order": order, "tables": tables, "state": DONE, "said": said}
        _add(connection, workspace, project, run, result=name, **told)


def _add(connection: Connection, workspace: str, project: str, run: str, **values: object) -> None:
    told = {"said": "", "began": time.time(), "worker": workers.own()} | values
    told["tables"] = " ".join(sorted(told["tables"]))
    connection.execute(insert(runs).values(id=run, workspace=workspace, project=project, **told))


def _next_number(store: Store, connection: Connection, workspace: str, project: str) -> int:
    """The number of the next run; DataError if there is no such project, or no room for a run."""
    of = select(projects.c.id).where(projects.c.workspace == workspace, projects.c.id == project)
    if connection.execute(of).scalar() is None:
        raise DataError("the project is not there any more; choose another one on the Projects page")
    check_room(store, connection, workspace, 1)
    return (connection.execute(select(func.max(runs.c.number)).where(runs.c.project == project)).scalar() or 0) + 1


def check_room(store: Store, connection: Connection, workspace: str, more: int = 0) -> None:
    """DataError if so many runs more are too many."""
    most = store.settings.runs
    if connection.execute(select(func.count()).where(runs.c.workspace == workspace)).scalar() + more > most:
        raise DataError(f"the workspace is full, it may hold {most:,} runs; delete some on the Projects page")


def listed(
    store: Store, workspace: str, project: str, *, search: str = "", first: int = 0, most: int = 50
) -> tuple[list[Entry], int]:
    """Some of the runs whose title holds a text, the newest first, and how many there are in all."""
    of = _of(workspace, project)
    if search:
        of = of.where(func.lower(runs.c.title).contains(search.lower(), autoescape=True))
    with store.reading() as connection:
        n = connection.execute(select(func.count()).select_from(of.subquery())).scalar()
        rows = connection.execute(of.order_by(runs.c.number.desc()).offset(first).limit(most)).all()
    return [_entry(row) for row in rows], n


def _of(workspace: str, project: str) -> Select:
    columns = (runs.c.id, runs.c.number, runs.c.title, runs.c.state, runs.c.began, runs.c.said, runs.c.worker)
    return select(*columns).where(runs.c.workspace == workspace, runs.c.project == project)


def _entry(row: object) -> Entry:
    state = row.state if row.state != RUNNING or workers.is_there(row.worker) else STOPPED
    return Entry(row.id, row.number, row.title, state, row.began, row.said)


def read(store: Store, workspace: str, wanted: Sequence[str]) -> list[Kept]:
    """All that is kept of some runs, in the order given; those that are gone are left out."""
    with store.reading() as connection:
        of = select(runs).where(runs.c.workspace == workspace, runs.c.id.in_(list(wanted)))
        rows = {row.id: row for row in connection.execute(of)}
        return [
            Kept(
                _entry(rows[run]),
                bytes(rows[run].order),
                store.parts.get(connection, workspace, rows[run].result) if rows[run].result else None,
            )
            for run in wanted
            if run in rows
        ]


def remove(store: Store, workspace: str, run: str) -> None:
    """Delete a run."""
    with store.tidying(workspace) as connection:
        connection.execute(delete(runs).where(runs.c.workspace == workspace, runs.c.id == run))
