"""Share links: anyone with the address can view some runs of a workspace, until the link expires or is revoked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from ..common.errors import DataError
from .schema import links, runs
from .store import Store
from .workspaces import DAY, hashed, is_address, new_address

MAX_DAYS = 365
GONE = "this link has ended or was withdrawn; ask for another one"


@dataclass(frozen=True)
class ShareLink:
    """Target of a share link.

    Attributes
    ----------
    secret : str
        SHA-256 of the secret in the address.
    workspace : str
    name : str
    runs : tuple of str
    place : str
        Page and query of the address bar, such as "inspect?step=3".
    ends : float
        Expiry in seconds since 1970.
    data : bool
        True if the table of the runs is also shown.
    """

    secret: str
    workspace: str
    name: str
    runs: tuple[str, ...]
    place: str
    ends: float
    data: bool = True


def create(
    store: Store, workspace: str, name: str, shown: Sequence[str], place: str, days: float, *, data: bool = True
) -> str:
    """Share runs for some days, and return the secret of the address, which is not stored.

    Raises
    ------
    DataError
        If a run does not belong to the workspace, or the number of days is out of range.
    """
    if not 0 < days <= MAX_DAYS:
        raise DataError(f"a link must expire after more than 0 and at most {MAX_DAYS} days, got {days:g}")
    address = new_address()
    with store.writing(workspace) as connection:
        own = select(runs.c.id).where(runs.c.workspace == workspace, runs.c.id.in_(list(shown)))
        if not shown or set(connection.execute(own).scalars()) != set(shown):
            raise DataError("a link can only show runs of this workspace; choose saved runs")
        row = {"name": name, "runs": " ".join(shown), "place": place, "data": data, "ends": time.time() + days * DAY}
        connection.execute(insert(links).values(secret=hashed(address), workspace=workspace, **row))
    return address


def find(store: Store, address: str) -> ShareLink:
    """Return the target of an address; if there is none, raise the same DataError whatever the reason."""
    with store.reading() as connection:
        row = connection.execute(select(links).where(links.c.secret == hashed(address))).first()
    if not is_address(address) or row is None or row.ends < time.time():
        raise DataError(GONE)
    return _link(row)


def listed(store: Store, workspace: str) -> list[ShareLink]:
    """Return the links of a workspace that have not expired, the latest expiry first."""
    of = select(links).where(links.c.workspace == workspace, links.c.ends >= time.time())
    with store.reading() as connection:
        return [_link(row) for row in connection.execute(of.order_by(links.c.ends.desc()))]


def withdraw(store: Store, workspace: str, secret: str) -> None:
    """Delete a link."""
    with store.writing(workspace) as connection:
        connection.execute(delete(links).where(links.c.workspace == workspace, links.c.secret == secret))


def _link(row: object) -> ShareLink:
    return ShareLink(row.secret, row.workspace, row.name, tuple(row.runs.split()), row.place, row.ends, bool(row.data))
