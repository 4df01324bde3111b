"""Workspaces: found by a secret address or by the account that owns them, and deleted after a retention time.

An address is a string of 32 hexadecimal digits, an account an `Account`. They have different types and database
columns, so that no text from a visitor can name the workspace of an account.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Row, delete, false, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ..common.errors import DataError
from . import schema
from .faults import StoreFault
from .schema import projects, runs, workspaces
from .store import Store

DAY = 86_400.0
LETTERS = 32  # hexadecimal digits of an address: 128 bits


@dataclass(frozen=True)
class Workspace:
    """An existing workspace.

    Attributes
    ----------
    id : str
    keeps : bool
        False if its owner switched saving off.
    opened : str
        Current project; empty if there is none.
    """

    id: str
    keeps: bool = True
    opened: str = ""


@dataclass(frozen=True)
class Account:
    """Owner of a workspace, as identified by a verified login.

    Attributes
    ----------
    issuer, subject : str
        Both are public, so only code that verifies the login may create an account from them.

    Raises
    ------
    DataError
        If one of them is missing, because all such logins would share one workspace.
    """

    issuer: str
    subject: str

    def __post_init__(self) -> None:
        if not all(isinstance(claim, str) and claim for claim in (self.issuer, self.subject)):
            raise DataError("the login lacks an issuer or a subject; ask the administrator of this server")

    @property
    def hash(self) -> str:
        """Return the hash that identifies the account in the database, of issuer and subject as JSON."""
        return hashed(json.dumps([self.issuer, self.subject]))


Key = str | Account


def new_address() -> str:
    """Return a random secret address."""
    return secrets.token_hex(LETTERS // 2)


def is_address(text: str) -> bool:
    """Return True if a text has the form of an address."""
    return len(text) == LETTERS and set(text) <= set("0123456789abcdef")


def hashed(secret: str) -> str:
    """Return the hash of a secret that the database stores."""
    return hashlib.sha256(secret.encode()).hexdigest()


def find(store: Store, key: Key) -> Workspace | None:
    """Return the workspace of an address or of an account, or None."""
    row = _row(store, _matches(key))
    if row is None and isinstance(key, Account):
        row = _adopted(store, key)
    if row is None:
        return None
    if abs(time.time() - row.seen) > DAY / 24:  # also if the clock was ahead before
        with suppress(StoreFault), store.writing() as connection:  # a full disk can still be read
            connection.execute(update(workspaces).where(workspaces.c.id == row.id).values(seen=time.time()))
    return Workspace(row.id, bool(row.keeps), row.opened or "")


def _row(store: Store, condition: ColumnElement[bool]) -> Row | None:
    with store.reading() as connection:
        return connection.execute(select(workspaces).where(condition)).first()


def _matches(key: Key) -> ColumnElement[bool]:
    """Return the condition for the row of a key; a text that is not an address matches none."""
    if isinstance(key, Account):
        return workspaces.c.account == key.hash
    return workspaces.c.secret == hashed(key) if is_address(key) else false()


def _adopted(store: Store, account: Account) -> Row | None:
    """Move the workspace that an account had before the fourth migration to its column, and return it."""
    former = workspaces.c.secret == hashed(f"account {account.issuer} {account.subject}")
    row = _row(store, former)
    if row is not None:
        with store.writing() as connection:
            connection.execute(update(workspaces).where(former).values(_columns(account)))
    return row


def _columns(key: Key) -> dict[str, str]:
    """Return the columns of a key. An account gets the hash of an address that is never issued."""
    if isinstance(key, Account):
        return {"secret": hashed(new_address()), "account": key.hash}
    return {"secret": hashed(key)}


def make(store: Store, key: Key, *, keeps: bool = True) -> Workspace:
    """Return the workspace of a key, and create it if there is none.

    Raises
    ------
    DataError
        If the key is a text that is not an address.
    """
    known = find(store, key)
    if known is not None:
        return known
    if not (isinstance(key, Account) or is_address(key)):
        raise DataError("the address of the workspace is invalid; open Edgewise without it")
    new = Workspace(new_address(), keeps)
    row = {"id": new.id, "seen": time.time(), "keeps": keeps, **_columns(key)}
    try:
        with store.writing() as connection:
            connection.execute(insert(workspaces).values(row))
    except IntegrityError:  # another session has just created it
        return make(store, key, keeps=keeps)
    return new


def forget(store: Store, workspace: str) -> None:
    """Delete a workspace with all of its contents."""
    with store.writing() as connection:
        for table in (schema.classes, schema.lessons, schema.links, schema.parts, runs, projects):
            connection.execute(delete(table).where(table.c.workspace == workspace))
        connection.execute(delete(workspaces).where(workspaces.c.id == workspace))
    if store.file:
        store.file.forget(workspace)
    store.blobs.delete_all(workspace)


def size(store: Store, workspace: str) -> tuple[int, int]:
    """Return the total size of the workspace's blobs in bytes, and the number of its runs."""
    with store.reading() as connection:
        n_runs = connection.execute(select(func.count()).where(runs.c.workspace == workspace)).scalar()
        return store.blobs.size(connection, workspace), n_runs or 0


def sweep(store: Store) -> int:
    """Delete workspaces past their retention time and orphaned files; return the number of deleted workspaces."""
    with store.reading() as connection:
        oldest = connection.execute(select(store.clock)).scalar() - store.settings.days * DAY
        old = connection.execute(select(workspaces.c.id).where(workspaces.c.seen < oldest)).scalars().all()
    for workspace in old:
        forget(store, workspace)
    folders = store.blobs.folders()  # list folders first: each of them has its row by then
    with store.writing() as connection:
        for table in (schema.links, schema.classes):
            connection.execute(delete(table).where(table.c.ends < time.time()))
        own = connection.execute(select(workspaces.c.id)).scalars().all()
    for left in folders - set(own):
        store.blobs.delete_all(left)
    return len(old)
