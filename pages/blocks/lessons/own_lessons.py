"""Uploaded lessons: checked in a limited process, listed in their workspace only, shared by a link, and exported."""

from __future__ import annotations

import datetime
import hashlib
import re
from urllib.parse import urlencode

import streamlit as st

from learners.common.errors import DataError, LearnersError
from learners.store import stored_lessons
from learners.store.faults import StoreFault
from learners.store.stored_lessons import StoredLesson
from learners.store.workspaces import new_address
from learners.teaching.lessons.lesson import Lesson, LessonError
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.uploads import MAX_BYTES, check_upload
from pages.blocks.lessons import lesson_files, lesson_view
from pages.blocks.shared_links import DAYS
from pages.session import storage, workspace
from pages.session.words import labels_of, language, t, written
from viz.lesson_page.page import lesson_html
from viz.text import as_sentence, escape_markdown

OWN, SHARED = "own-", "shared-"  # beginnings of the keys of lessons of the workspace, and of a link
UNSAVED = "own_lessons"  # session key of the lessons of a session that saves nothing
FAULTS, LINK = "own_lesson_faults", "own_lesson_link"  # session keys: why a file was refused, and the newest link
PICKER = "own_lesson_number"  # session key that empties the uploader


def titles() -> dict[str, str]:
    """Return the titles of the lessons of this workspace by key."""
    return {f"{OWN}{one.id}": one.title for one in _listed()}


def shared_title(key: str) -> dict[str, str]:
    """Return the title of the lesson of a link by its key; empty if the key names no valid link."""
    if not key.startswith(SHARED):
        return {}
    try:
        return {key: _shared(key).title}
    except LearnersError as error:
        st.warning(escape_markdown(written(as_sentence(str(error)))), icon=":material/link_off:")
        return {}


def lesson_of(key: str) -> Lesson:
    """Return a lesson: a bundled one in the language of the pages, one of the workspace, or that of a link.

    Raises
    ------
    LearnersError
        If it is not a valid lesson, or does not exist.
    """
    if not is_own(key):
        return lesson_files.lesson(key, language())
    stored = _shared(key) if key.startswith(SHARED) else _read(key.removeprefix(OWN))
    if stored is None:
        raise LessonError("the lesson was deleted; upload it again")
    # The key is the hash of the text: sessions share what is computed from equal texts, and nothing else.
    return read_lesson(stored.text, "lesson_" + hashlib.sha256(stored.text.encode()).hexdigest()[:32])


def is_own(key: str) -> bool:
    """Return True if a lesson was uploaded."""
    return key.startswith((OWN, SHARED))


def heading(key: str, lesson: Lesson) -> str:
    """Return the title of a lesson as Markdown; the title of an uploaded lesson is escaped."""
    return escape_markdown(lesson.title) if is_own(key) else lesson.title


def _shared(key: str) -> StoredLesson:
    if storage.store() is None:
        raise DataError(stored_lessons.GONE)
    return stored_lessons.find_shared(storage.opened(), key.removeprefix(SHARED))


def _listed() -> list[StoredLesson]:
    if not workspace.is_kept():
        return list(_unsaved().values())
    try:
        found = workspace.found()
        return [] if found is None else stored_lessons.listed(storage.opened(), found.id)
    except StoreFault:  # the sidebar reports it
        return []


def _read(lesson: str) -> StoredLesson | None:
    if not workspace.is_kept():
        return _unsaved().get(lesson)
    found = workspace.found()
    return None if found is None else stored_lessons.read(storage.opened(), found.id, lesson)


def _unsaved() -> dict[str, StoredLesson]:
    return st.session_state.setdefault(UNSAVED, {})


def offer(here: str) -> None:
    """Show the menu: upload a lesson, or share, download and delete the one on screen.

    Parameters
    ----------
    here : str
        Key of the lesson on screen.
    """
    with st.popover(t("Manage lessons"), icon=":material/upload_file:", key="own_lessons_menu"):
        st.file_uploader(
            t("Upload a lesson"), type=["md", "txt"], key=f"own_lesson_file_{st.session_state.get(PICKER, 0)}",
            max_upload_size=1, on_change=_upload,
            help=t("One Markdown file of at most {n} kB. The guide *Teach with Edgewise* describes it.",
                   n=MAX_BYTES // 1000),
        )  # fmt: skip
        _faults()
        if not workspace.is_kept():
            st.caption(t("This session saves nothing, so your lessons end with it."))
        if here.startswith(OWN):
            _menu_of(here.removeprefix(OWN))


def _faults() -> None:
    """Show why the last file or link was refused, in the menu, which stays open and would cover the page."""
    name, text = st.session_state.get(FAULTS, ("", ""))
    if name:
        refused = t("{name} has errors, so it was not added.", name=escape_markdown(name))
        st.error(refused, icon=":material/error:")
        st.code("\n".join(map(written, text.split("\n"))), language=None, wrap_lines=True)
    elif text:
        st.error(escape_markdown(written(as_sentence(text))), icon=":material/error:")


def _upload() -> None:
    """Check and store the uploaded file, and open its lesson."""
    number = st.session_state.get(PICKER, 0)
    file = st.session_state.get(f"own_lesson_file_{number}")
    st.session_state.pop(FAULTS, None)
    if file is None:
        return
    st.session_state[PICKER] = number + 1
    try:
        title, text = check_upload(file.getvalue(), file.name)
        st.session_state.lesson = OWN + _add(title, text)
    except LearnersError as error:
        st.session_state[FAULTS] = (file.name[:80], str(error))


def export(lesson: Lesson) -> None:
    """Show a button that downloads a lesson as one HTML file, which runs without a server."""
    st.download_button(
        t("Export as HTML"), lambda: _file_of(lesson), f"{_file_name(lesson.title)}.html", "text/html",
        key="lesson_export", on_click="ignore", icon=":material/download:",
        help=t("One file with graphs, runs and exercises. It opens in any browser without a server, also in Moodle."),
    )  # fmt: skip


def _file_of(lesson: Lesson) -> str:
    return lesson_html(
        lesson, lambda k, value: lesson_view.learnt(lesson, k, value), lambda k: lesson_view.solved(lesson, k)
    )


def _file_name(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.lower()))[:60] or "lesson"


def _add(title: str, text: str) -> str:
    if workspace.is_kept():
        return stored_lessons.add(storage.opened(), workspace.workspace(), title, text)
    own = _unsaved()
    known = next((one.id for one in own.values() if one.title == title), None)
    if known is None and len(own) >= stored_lessons.MAX_LESSONS:
        raise DataError(f"a session has at most {stored_lessons.MAX_LESSONS} lessons; delete one first")
    lesson = known or new_address()
    own[lesson] = StoredLesson(lesson, title, text)
    return lesson


def _menu_of(lesson: str) -> None:
    """Offer to share, download or delete a lesson of the workspace."""
    stored = _read(lesson)
    if stored is None:
        return
    st.divider()
    st.markdown(f"**{escape_markdown(stored.title)}**")
    if workspace.is_kept():
        _sharing(stored)
    st.download_button(
        t("Download Markdown"), stored.text, "lesson.md", "text/markdown", key="own_lesson_download",
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    st.button(t("Delete lesson"), key="own_lesson_delete", on_click=_remove, args=(lesson,), icon=":material/delete:")


def _sharing(stored: StoredLesson) -> None:
    days = st.selectbox(t("Expires after"), list(DAYS), 1, format_func=labels_of(DAYS), key="own_lesson_days")
    st.button(
        t("Create link"), key="own_lesson_share", on_click=_share, args=(stored.id, days), icon=":material/share:",
        help=t("Anyone with the link can take this lesson. Older links to it stop working."),
    )  # fmt: skip
    known, address = st.session_state.get(LINK, ("", ""))
    if stored.ends:
        if known == stored.id:
            st.code(address, language=None, wrap_lines=True)
        until = datetime.datetime.fromtimestamp(stored.ends).strftime("%Y-%m-%d %H:%M")
        st.caption(t("Shared until {ends}.", ends=until))
        st.button(t("Revoke link"), key="own_lesson_revoke", on_click=_withdraw, args=(stored.id,))


def _share(lesson: str, days: int) -> None:
    try:
        secret = stored_lessons.share(storage.opened(), workspace.workspace(), lesson, days)
    except LearnersError as error:
        st.session_state[FAULTS] = ("", str(error))
        return
    root = (st.context.url or "/").rstrip("/").removesuffix("lessons").rstrip("/")
    st.session_state[LINK] = (lesson, f"{root}/lessons?{urlencode({'lesson': SHARED + secret})}")


def _withdraw(lesson: str) -> None:
    try:
        stored_lessons.withdraw(storage.opened(), workspace.workspace(), lesson)
    except LearnersError as error:
        st.session_state[FAULTS] = ("", str(error))


def _remove(lesson: str) -> None:
    try:
        if workspace.is_kept():
            stored_lessons.remove(storage.opened(), workspace.workspace(), lesson)
        else:
            _unsaved().pop(lesson, None)
        st.session_state.lesson = None
    except LearnersError as error:
        st.session_state[FAULTS] = ("", str(error))
