"""The classes of this process, and the class led by the session on screen."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from learners.teaching.classroom.class_registry import ClassRegistry, OpenClass
from learners.teaching.classroom.classroom import Classroom
from learners.teaching.lessons.lesson import Exercise
from pages.session import workspace
from pages.session.jobs import ownership

SWEEP_SECONDS = 20.0
LOCAL = ("localhost", "127.0.0.1", "::1", "")


@cache
def classes() -> ClassRegistry:
    """Return the classes of this process; a background thread deletes those that have ended."""
    registry = ClassRegistry(ownership.is_there)
    threading.Thread(target=_sweep, args=(registry,), daemon=True).start()
    return registry


def _sweep(registry: ClassRegistry) -> None:
    while True:
        time.sleep(SWEEP_SECONDS)
        registry.sweep()


def begin(exercises: Sequence[Exercise], slides: Sequence[Mapping[str, Any]], title: str, language: str = "en") -> None:
    """Open a class that this session leads, and end its previous one.

    Raises
    ------
    ParameterError
        If there is no question, or too many classes are open.
    """
    room, owner, session = Classroom(exercises), workspace.place().secret, ownership.session()
    classes().open(room, tuple(slides), title, owner, session, language)


def mine() -> OpenClass | None:
    """Return the class that this session leads, also after a reload, or None."""
    return classes().of_owner(workspace.place().secret, ownership.session())


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
    classes().forget(entry)
