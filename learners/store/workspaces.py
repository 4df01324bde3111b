"""Workspaces: found by a secret, kept for some time, forgotten at once."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from . import schema
from .schema import projects, runs, workspaces
from .store import Store

DAY = 86_400.0
LETTERS = 32  # hexadecimal digits of an address: 128 bits


@dataclass(frozen=True)
class Workspace:
    """A workspace that is there.

    Attributes
    ----------
    id : str
    keeps : bool
        False if its owner wants nothing to be kept.
    opened : str
        The project in use; empty if there is none.
    """

    id: str
    keeps: bool = True
    opened: str = ""


def new_address() -> str:
    """An address that nobody can guess."""
    return secrets.token_hex(LETTERS // 2)


def is_address(text: str) -> bool:
    """Whether a text can be an address."""
    return len(text) == LETTERS and set(text) <= set("0123456789abcdef")


def hashed(secret: str) -> str:
    """What the database holds of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def find(store: Store, secret: str) -> Workspace | None:
    """The workspace of an address, or of an account; None if there is none."""
    with store.reading() as connection:
        row = connection.execute(select(workspaces).where(workspaces.c.secret == hashed(secret))).first()
    if row is None:
        return None
    if time.time() - row.seen > DAY / 24:
        with store.writing() as connection:
            connection.execute(update(workspaces).where(workspaces.c.id == row.id).values(seen=time.time()))
    return Workspace(row.id, bool(row.keeps), row.opened or "")


def make(store: Store, secret: str, *, keeps: bool = True) -> Workspace:
    """The workspace of a secret, a new one if there is none."""
    known = find(store, secret)
    if known is not None:
        return known
    new = Workspace(new_address(), keeps)
    told = {"id": new.id, "secret": hashed(secret), "seen": time.time(), "keeps": keeps}
    try:
        with store.writing() as connection:
            connection.execute(insert(workspaces).values(told))
    except IntegrityError:  # another session has made it meanwhile
        return make(store, secret, keeps=keeps)
    return new


def forget(store: Store, workspace: str) -> None:
    """Delete a workspace with all that is in it, at once."""
    with store.writing() as connection:
        for table in (schema.links, schema.parts, runs, projects):
            connection.execute(delete(table).where(table.c.workspace == workspace))
        connection.execute(delete(workspaces).where(workspaces.c.id == workspace))
    store.parts.delete_all(workspace)


def size(store: Store, workspace: str) -> tuple[int, int]:
    """Bytes of its parts, and how many runs it has."""
    with store.reading() as connection:
        n_runs = connection.execute(select(func.count()).where(runs.c.workspace == workspace)).scalar()
        return store.parts.size(connection, workspace), n_runs or 0


def sweep(store: Store) -> int:
    """Forget the workspaces that nobody opened for too long, and what others left behind; how many were forgotten."""
    oldest = time.time() - store.settings.days * DAY
    with store.reading() as connection:
        old = connection.execute(select(workspaces.c.id).where(workspaces.c.seen < oldest)).scalars().all()
    for workspace in old:
        forget(store, workspace)
    folders = store.parts.folders()  # first: whoever has one has a row by then
    with store.writing() as connection:
        connection.execute(delete(schema.links).where(schema.links.c.ends < time.time()))
        own = connection.execute(select(workspaces.c.id)).scalars().all()
    for left in folders - set(own):
        store.parts.delete_all(left)
    return len(old)
