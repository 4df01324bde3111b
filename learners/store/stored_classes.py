"""Classes that survive a restart of the server, packed with their answers until they end."""

from __future__ import annotations

import time

from sqlalchemy import delete, insert, select

from .schema import classes
from .store import Store
from .workspaces import hashed


def keep(store: Store, workspace: str, code: str, body: bytes, seconds: float) -> None:
    """Store a class for some seconds; it replaces an earlier state of the same class."""
    row = {"workspace": workspace, "body": body, "ends": time.time() + seconds}
    with store.writing(workspace) as connection:
        connection.execute(delete(classes).where(classes.c.code == hashed(code)))
        connection.execute(insert(classes).values(code=hashed(code), **row))


def read(store: Store, code: str) -> tuple[str, bytes] | None:
    """Return workspace and body of a class; None if there is none with this code, or it has ended."""
    of = select(classes).where(classes.c.code == hashed(code), classes.c.ends >= time.time())
    with store.reading() as connection:
        row = connection.execute(of).first()
    return None if row is None else (row.workspace, row.body)


def of_workspace(store: Store, workspace: str) -> bytes | None:
    """Return the body of the class of a workspace that ends last; None if it has none."""
    of = select(classes.c.body).where(classes.c.workspace == workspace, classes.c.ends >= time.time())
    with store.reading() as connection:
        return connection.execute(of.order_by(classes.c.ends.desc())).scalar()


def remove(store: Store, workspace: str, code: str) -> None:
    """Delete a class."""
    with store.writing(workspace) as connection:
        connection.execute(delete(classes).where(classes.c.workspace == workspace, classes.c.code == hashed(code)))
