"""The classes of this process, and the class led by the session on screen."""

from __future__ import annotations

import datetime
import json
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from learners.common.errors import LearnersError
from learners.store import stored_classes
from learners.store.packing import pack, unpack
from learners.teaching.classroom.class_registry import MAX_SECONDS, ClassRegistry, OpenClass
from learners.teaching.classroom.classroom import Classroom
from learners.teaching.lessons.lesson import Exercise
from pages.session import storage, workspace
from pages.session.jobs import ownership
from viz.text import in_language
from viz.translation.sentences import catalog

SWEEP_SECONDS, SAVE_SECONDS = 20.0, 2.0
KEPT = ("code", "slides", "title", "language", "date", "shows_tally", "seconds")  # fields that are stored
LOOKED = "class_looked_for"  # session key: a stored class was looked for
LOCAL = ("localhost", "127.0.0.1", "::1", "")


@cache
def classes() -> ClassRegistry:
    """Return the classes of this process; a background thread deletes those that have ended."""
    registry = ClassRegistry(ownership.is_there)
    for work in (_sweep, _save):
        threading.Thread(target=work, args=(registry,), daemon=True).start()
    return registry


def _sweep(registry: ClassRegistry) -> None:
    while True:
        time.sleep(SWEEP_SECONDS)
        registry.sweep()


def _save(registry: ClassRegistry) -> None:
    while True:
        time.sleep(SAVE_SECONDS)
        save_changes(registry)


def save_changes(registry: ClassRegistry) -> None:
    """Store the classes that are to survive a restart and have changed since they were stored."""
    for entry in registry.entries():
        changes = entry.room.changes
        if entry.keeps and changes != entry.saved and storage.store() is not None:
            with suppress(LearnersError):  # during an outage of the store, the next call tries again
                stored_classes.keep(storage.opened(), entry.workspace, entry.code, _packed(entry), MAX_SECONDS)
                entry.saved = changes


def _packed(entry: OpenClass) -> bytes:
    about = {name: getattr(entry, name) for name in KEPT}
    return pack(about | {"room": entry.room.state()})


def _restored(workspace_id: str, body: bytes) -> OpenClass:
    """Return a stored class; nobody leads it until its lecturer comes back."""
    kept = unpack(body)
    room = Classroom.restored(kept.pop("room"))
    entry = OpenClass(owner="", room=room, sessions=set(), begun=0.0, seen=0.0, keeps=True, **kept)
    entry.workspace, entry.saved = workspace_id, room.changes
    return entry


def find(code: str, address: str) -> OpenClass | None:
    """Return the class with a code, also one that was stored before a restart; None if there is none.

    Raises
    ------
    TooManyTries
        If no class has the code and `address` tried too many wrong codes.
    """
    entry = classes().find(code, address)
    if entry is None and storage.store() is not None:
        with suppress(LearnersError):
            found = stored_classes.read(storage.opened(), code.strip().lower())
            return found and classes().put_back(_restored(*found))
    return entry


def keep(entry: OpenClass, *, wanted: bool) -> None:
    """Store a class in the workspace of this session from now on, or delete what was stored."""
    entry.keeps, entry.saved = wanted, -1
    if wanted:
        entry.workspace = workspace.workspace()
        save_changes(classes())
    else:
        _unstore(entry)


def may_keep() -> bool:
    """Return True if a class can be stored."""
    return workspace.is_kept()


def _unstore(entry: OpenClass) -> None:
    if entry.workspace and storage.store() is not None:
        with suppress(LearnersError):  # an expired class is deleted later
            stored_classes.remove(storage.opened(), entry.workspace, entry.code)


def begin(exercises: Sequence[Exercise], slides: Sequence[Mapping[str, Any]], title: str, language: str = "en") -> None:
    """Open a class that this session leads, and end its previous one.

    Raises
    ------
    ParameterError
        If there is no question, or too many classes are open.
    """
    room, owner, session = Classroom(exercises), workspace.place().secret, ownership.session()
    before = mine()
    if before is not None:
        _unstore(before)
    # Plain texts in the language of the class, so that it can be stored.
    shown = json.loads(json.dumps(in_language(list(slides), catalog(language))))
    entry = classes().open(room, tuple(shown), title, owner, session, language)
    entry.date = datetime.datetime.now().strftime("%Y-%m-%d %H:%M")


def mine() -> OpenClass | None:
    """Return the class that this session leads, also after a reload or a restart of the server, or None."""
    owner, session = workspace.place().secret, ownership.session()
    entry = classes().of_owner(owner, session)
    if entry is not None or st.session_state.get(LOOKED) or not workspace.is_kept():
        return entry
    try:
        found = workspace.found()
        body = None if found is None else stored_classes.of_workspace(storage.opened(), found.id)
        if body is not None:
            classes().put_back(_restored(found.id, body))
        entry = None if found is None else classes().adopt(found.id, owner, session)
    except LearnersError:  # the store cannot be read now
        return None
    st.session_state[LOOKED] = True
    return entry


def address(code: str) -> str:
    """Return the address at which students join, under the host name that the lecturer's browser uses."""
    here = urlsplit(st.context.url or "http://localhost/")
    root = here.path.rstrip("/").removesuffix("/classroom")
    return f"{here.scheme}://{here.netloc}{root}/join/{code}"


def is_local() -> bool:
    """Return True if other devices cannot reach that address."""
    return (urlsplit(st.context.url or "").hostname or "") in LOCAL


def forget(entry: OpenClass) -> None:
    """End a class and delete its answers."""
    _unstore(entry)
    classes().forget(entry)
