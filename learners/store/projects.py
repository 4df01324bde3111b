"""Projects of a workspace: a name, what was made of tables, and runs."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from ..common.errors import DataError
from .runs import check_room
from .schema import projects, runs, workspaces
from .store import Store

MAX_NAME_LETTERS = 200
MAX_PROJECTS = 500  # of a workspace
GONE = "the project is not there any more; choose another one on the Projects page"


@dataclass(frozen=True)
class Project:
    """What a list shows: when it was changed last, in seconds since 1970, and how many runs it has."""

    id: str
    name: str
    changed: float
    n_runs: int


def listed(store: Store, workspace: str, search: str = "") -> list[Project]:
    """Those whose name holds a text, whatever its case, the one changed last first."""
    count = select(func.count()).where(runs.c.project == projects.c.id).scalar_subquery()
    of = select(projects.c.id, projects.c.name, projects.c.changed, count.label("n_runs"))
    of = of.where(projects.c.workspace == workspace).order_by(projects.c.changed.desc(), projects.c.id)
    with store.reading() as connection:
        found = [Project(*row) for row in connection.execute(of)]
    return [one for one in found if search.casefold() in one.name.casefold()]


def create(store: Store, workspace: str, name: str) -> str:
    """Begin a project and use it; its id."""
    with store.writing(workspace) as connection:
        made = create_in(connection, workspace, name)
        _use(connection, workspace, made)
    return made


def create_in(connection: Connection, workspace: str, name: str) -> str:
    """Begin a project within a transaction; its id. DataError if there are too many."""
    n = connection.execute(select(func.count()).where(projects.c.workspace == workspace)).scalar()
    if n >= MAX_PROJECTS:
        raise DataError(f"a workspace may hold {MAX_PROJECTS} projects; delete one first")
    made = secrets.token_hex(16)
    told = {"id": made, "workspace": workspace, "name": _checked(name), "changed": time.time(), "tables": ""}
    connection.execute(insert(projects).values(told))
    return made


def use(store: Store, workspace: str, project: str) -> None:
    """Make a project that in use."""
    with store.writing(workspace) as connection:
        _refuse_other(connection, workspace, project)
        _use(connection, workspace, project)


def _use(connection: Connection, workspace: str, project: str) -> None:
    connection.execute(update(workspaces).where(workspaces.c.id == workspace).values(opened=project))


def rename(store: Store, workspace: str, project: str, name: str) -> None:
    """Give a project another name."""
    with store.writing(workspace) as connection:
        _change(connection, workspace, project, name=_checked(name))


def save(store: Store, workspace: str, project: str, body: bytes, tables: Collection[str]) -> None:
    """Keep what a session made of a project: packed, with the names of the tables that it needs."""
    with store.tidying(workspace) as connection:
        store.check_parts(connection, workspace, tables)
        _change(connection, workspace, project, body=body, tables=" ".join(sorted(tables)))


def body(store: Store, workspace: str, project: str) -> bytes | None:
    """What `save` kept last; None if nothing was, DataError if there is no such project."""
    with store.reading() as connection:
        of = select(projects.c.body).where(projects.c.workspace == workspace, projects.c.id == project)
        row = connection.execute(of).first()
    if row is None:
        raise DataError(GONE)
    return row.body and bytes(row.body)


def duplicate(store: Store, workspace: str, project: str) -> str:
    """A copy of a project with its runs, under another name; its id."""
    with store.writing(workspace) as connection:
        of = select(projects).where(projects.c.workspace == workspace, projects.c.id == project)
        row = connection.execute(of).first()
        if row is None:
            raise DataError(GONE)
        made = create_in(connection, workspace, f"Copy of {row.name}"[:MAX_NAME_LETTERS])
        connection.execute(update(projects).where(projects.c.id == made).values(body=row.body, tables=row.tables))
        for run in connection.execute(select(runs).where(runs.c.project == project, runs.c.state != "running")).all():
            told = {**run._mapping, "id": secrets.token_hex(16), "project": made}
            connection.execute(insert(runs).values(told))
        check_room(store, connection, workspace)
    return made


def remove(store: Store, workspace: str, project: str) -> None:
    """Delete a project with its runs."""
    with store.tidying(workspace) as connection:
        _refuse_other(connection, workspace, project)
        connection.execute(delete(runs).where(runs.c.project == project))
        connection.execute(delete(projects).where(projects.c.id == project))
        own = (workspaces.c.id == workspace) & (workspaces.c.opened == project)
        connection.execute(update(workspaces).where(own).values(opened=None))


def _change(connection: Connection, workspace: str, project: str, **values: object) -> None:
    own = (projects.c.workspace == workspace) & (projects.c.id == project)
    if connection.execute(update(projects).where(own).values(changed=time.time(), **values)).rowcount == 0:
        raise DataError(GONE)


def _refuse_other(connection: Connection, workspace: str, project: str) -> None:
    of = select(projects.c.id).where(projects.c.workspace == workspace, projects.c.id == project)
    if connection.execute(of).scalar() is None:
        raise DataError(GONE)


def _checked(name: str) -> str:
    """A name without blanks around it; DataError if nothing is left, or too much."""
    name = " ".join(name.split())
    if not 0 < len(name) <= MAX_NAME_LETTERS:
        raise DataError(f"the name of a project must have 1 to {MAX_NAME_LETTERS} letters, this one has {len(name):,}")
    return name
