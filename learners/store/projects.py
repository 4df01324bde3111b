"""Projects of a workspace: their name, saved state and runs."""

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
MAX_PROJECTS = 500  # maximum number of projects of a workspace
GONE = "the project was deleted; choose another one on the Projects page"


@dataclass(frozen=True)
class Project:
    """List entry of a project: last change in seconds since 1970, and number of runs."""

    id: str
    name: str
    changed: float
    n_runs: int


def listed(store: Store, workspace: str, search: str = "") -> list[Project]:
    """Return the projects whose name contains a text, ignoring case, the latest change first."""
    count = select(func.count()).where(runs.c.project == projects.c.id).scalar_subquery()
    of = select(projects.c.id, projects.c.name, projects.c.changed, count.label("n_runs"))
    of = of.where(projects.c.workspace == workspace).order_by(projects.c.changed.desc(), projects.c.id)
    with store.reading() as connection:
        found = [Project(*row) for row in connection.execute(of)]
    return [one for one in found if search.casefold() in one.name.casefold()]


def create(store: Store, workspace: str, name: str) -> str:
    """Create a project, make it current, and return its id."""
    with store.writing(workspace) as connection:
        made = create_in(connection, workspace, name)
        _use(connection, workspace, made)
    return made


def create_in(connection: Connection, workspace: str, name: str) -> str:
    """Create a project within a transaction and return its id; raise DataError if there are too many."""
    n = connection.execute(select(func.count()).where(projects.c.workspace == workspace)).scalar()
    if n >= MAX_PROJECTS:
        raise DataError(f"a workspace may hold {MAX_PROJECTS} projects; delete one first")
    made = secrets.token_hex(16)
    row = {"id": made, "workspace": workspace, "name": _checked(name), "changed": time.time(), "tables": ""}
    connection.execute(insert(projects).values(row))
    return made


def use(store: Store, workspace: str, project: str) -> None:
    """Make a project the current one."""
    with store.writing(workspace) as connection:
        _refuse_other(connection, workspace, project)
        _use(connection, workspace, project)


def _use(connection: Connection, workspace: str, project: str) -> None:
    connection.execute(update(workspaces).where(workspaces.c.id == workspace).values(opened=project))


def rename(store: Store, workspace: str, project: str, name: str) -> None:
    """Rename a project."""
    with store.writing(workspace) as connection:
        _change(connection, workspace, project, name=_checked(name))


def rename_automatic(store: Store, workspace: str, project: str, before: str, name: str) -> None:
    """Rename a project if it still has the name `before`, so that a name that the user gave stays."""
    own = (projects.c.workspace == workspace) & (projects.c.id == project) & (projects.c.name == before)
    with store.writing(workspace) as connection:
        connection.execute(update(projects).where(own).values(name=_checked(name)))


def save(store: Store, workspace: str, project: str, body: bytes, tables: Collection[str]) -> None:
    """Save the packed state of a project, with the hashes of the tables that it needs."""
    with store.tidying(workspace) as connection:
        store.check_parts(connection, workspace, tables)
        _change(connection, workspace, project, body=body, tables=" ".join(sorted(tables)))


def body(store: Store, workspace: str, project: str) -> bytes | None:
    """Return the last saved state; None if there is none. Raise DataError if the project does not exist."""
    with store.reading() as connection:
        of = select(projects.c.body).where(projects.c.workspace == workspace, projects.c.id == project)
        row = connection.execute(of).first()
    if row is None:
        raise DataError(GONE)
    return row.body and bytes(row.body)


def duplicate(store: Store, workspace: str, project: str) -> str:
    """Copy a project with its runs under another name, and return its id."""
    with store.writing(workspace) as connection:
        of = select(projects).where(projects.c.workspace == workspace, projects.c.id == project)
        row = connection.execute(of).first()
        if row is None:
            raise DataError(GONE)
        made = create_in(connection, workspace, f"Copy of {row.name}"[:MAX_NAME_LETTERS])
        connection.execute(update(projects).where(projects.c.id == made).values(body=row.body, tables=row.tables))
        for run in connection.execute(select(runs).where(runs.c.project == project, runs.c.state != "running")).all():
            copied = {**run._mapping, "id": secrets.token_hex(16), "project": made}
            connection.execute(insert(runs).values(copied))
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
    """Return a name without surrounding blanks; raise DataError if it is empty or too long."""
    name = " ".join(name.split())
    if not 0 < len(name) <= MAX_NAME_LETTERS:
        raise DataError(f"the name of a project must have 1 to {MAX_NAME_LETTERS} letters, this one has {len(name):,}")
    return name
