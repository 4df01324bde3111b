"""Tables of a session, by content, with the user's decisions, so that a known table needs no new ones."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import streamlit as st

from learners.data.reading.table import Table
from learners.recipes.fingerprints import fingerprint_table
from pages.session.source import Source

KNOWN = "tables"  # session key: source of each table by content, in the order of their first use
MAX_TABLES = 6  # maximum number of tables of a session, unless more have runs; the next one replaces another
_CONTENTS: WeakKeyDictionary[Table, str] = WeakKeyDictionary()  # shared by all sessions, since a hash reveals nothing


def content(table: Table) -> str:
    """Return the hash of the names and cells of a table."""
    if table not in _CONTENTS:
        _CONTENTS[table] = fingerprint_table(table).sha256
    return _CONTENTS[table]


def remember(source: Source | None) -> None:
    """Store a table in use with its current plan.

    Where there are too many, the oldest table without decisions of the user is forgotten, else the oldest with some;
    never one of a run, which holds its table anyway.
    """
    if source is None or source.table is None:
        return
    known, key = _known(), content(source.table)
    known[key] = source
    if len(known) > MAX_TABLES:
        of_runs = {content(run.source.table) for run in st.session_state.get("runs", ()) if run.source.table}
        others = [old for old in known if old != key and old not in of_runs]
        others.sort(key=lambda old: bool(known[old].steps))  # stable: the oldest first
        for old in others[: len(known) - MAX_TABLES]:
            del known[old]


def forget_all_but(sources: Iterable[Source]) -> None:
    """Replace the tables of the session by those of `sources`."""
    st.session_state[KNOWN] = {}
    for source in sources:
        remember(source)


def listed() -> tuple[Source, ...]:
    """Return the tables in the order of their first use."""
    return tuple(_known().values())


def find(table: Table) -> Source | None:
    """Return the source of a table with this content, with the user's decisions; None for a new table."""
    return _known().get(content(table)) if _known() else None


def same(one: Source, other: Source) -> bool:
    """Return True if two sources have the same table."""
    if one.table is None or other.table is None:
        return False
    return one.table is other.table or content(one.table) == content(other.table)


def _known() -> dict[str, Source]:
    return st.session_state.setdefault(KNOWN, {})
