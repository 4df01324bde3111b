"""List of the projects of a workspace, and of the runs of the project in use."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count
from learners.store import project_file, projects, runs
from learners.store.projects import Project
from learners.store.runs import RunEntry
from pages.session import notes, restore, storage, workspace
from pages.session.jobs import runner
from pages.session.words import counted, language, run_title, t, written
from viz.text import MAX_TITLE_LENGTH, as_sentence, escape_markdown, shorten

PAGE = 20  # number of runs per page
MIN_SEARCHED = 5  # number of projects or runs above which a search is offered
WITHOUT = "Without the data, the runs can only be opened where the tables are available."


def say_problem() -> None:
    """Show why the newest work is not saved, or why the last action failed."""
    problem = workspace.problem() or st.session_state.pop("projects_said", "")
    if problem:
        st.error(escape_markdown(written(as_sentence(problem))), icon=":material/error:")


def projects_here() -> None:
    """List all projects with their actions."""
    here, database = workspace.place(), storage.store()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.session_state.get("projects_search", "")
        if search or len(projects.listed(database, here.workspace) if here.workspace else []) > MIN_SEARCHED:
            search = st.text_input(t("Search projects"), key="projects_search", icon=":material/search:")
        with st.popover(t("Import project"), icon=":material/upload_file:", key="projects_import"):
            _bring_project()
        if st.button(t("Create project"), icon=":material/add:", key="projects_new", disabled=_busy()):
            _change(lambda: projects.create(database, workspace.workspace(), t("New project")))
    found = projects.listed(database, here.workspace, search) if here.workspace else []
    if not found:
        nothing = (
            "No project matches this search."
            if search
            else "No projects yet. Edgewise creates one when you use a table or run a learner."
        )
        st.caption(t(nothing))
    for project in found:
        with st.container(border=True):
            _one_project(project)


def _one_project(project: Project) -> None:
    here, database = workspace.place(), storage.store()
    in_use = project.id == here.project
    st.markdown(
        f"**{escape_markdown(shorten(project.name, MAX_TITLE_LENGTH))}**" + (f" {t('(in use)')}" if in_use else "")
    )
    runs_in = Count(project.n_runs, "run")
    st.caption(t("{runs}, changed {when}", runs=runs_in, when=_when(project.changed)))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(t("Open project"), key=f"projects_open_{project.id}", disabled=in_use or _busy()):
            _change(lambda: projects.use(database, here.workspace, project.id))
        with st.popover(t("Rename project"), key=f"projects_rename_fold_{project.id}"):
            name = st.text_input(t("Name"), project.name, key=f"projects_name_{project.id}")
            if st.button(t("Apply name"), key=f"projects_rename_{project.id}"):
                _do(lambda: projects.rename(database, here.workspace, project.id, name))
        if st.button(t("Duplicate project"), key=f"projects_duplicate_{project.id}"):
            _do(lambda: projects.duplicate(database, here.workspace, project.id))
        with st.popover(t("Export project"), key=f"projects_export_fold_{project.id}"):
            _export(project)
        with st.popover(t("Delete project"), key=f"projects_delete_fold_{project.id}", disabled=_busy()):
            st.write(t("Delete the project with {runs}? This cannot be undone.", runs=runs_in))
            if st.button(t("Delete permanently"), key=f"projects_delete_{project.id}"):
                gone = lambda: projects.remove(database, here.workspace, project.id)  # noqa: E731
                (_change if in_use else _do)(gone)


def _export(project: Project) -> None:
    """Offer the project as a file."""
    data = st.toggle(
        t("Include the data"), False, key=f"projects_data_{project.id}", help=t(WITHOUT),
    )  # fmt: skip
    here = workspace.place()
    st.download_button(
        t("Download project"),
        partial(project_file.export_project, storage.store(), here.workspace, project.id, data=data),
        file_name(project.name), "application/zip", on_click="ignore", key=f"projects_export_{project.id}",
    )  # fmt: skip


def file_name(project: str) -> str:
    """Return the file name of a project."""
    return (re.sub(r"[^\w -]", "", project).strip() or "project") + ".edgewise"


def _bring_project() -> None:
    """Let the user open a project from a file."""
    file = st.file_uploader(t("Project file"), type="edgewise", key="projects_file")
    if file is not None and st.session_state.get("projects_read") != file.file_id:
        st.session_state.projects_read = file.file_id
        _do(lambda: project_file.import_project(storage.store(), workspace.workspace(), file.getvalue()))


def runs_here() -> None:
    """List the runs of the project in use in pages, newest first."""
    here = workspace.place()
    if not here.project:
        return
    notes.ask(t("Note on this project"))
    st.subheader(t("Runs of this project"), anchor=False)
    search = st.session_state.get("projects_search_runs", "")
    if search or runs.listed(storage.store(), here.workspace, here.project, most=1)[1] > MIN_SEARCHED:
        search = st.text_input(t("Search runs"), key="projects_search_runs", icon=":material/search:")
    page = st.session_state.get("projects_page", 1)
    first = (page - 1) * PAGE
    found, n = runs.listed(storage.store(), here.workspace, here.project, search=search, first=first, most=PAGE)
    for entry in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            _one_run(entry)
    if n > PAGE:
        st.pagination(-(-n // PAGE), key="projects_page")
    st.caption(counted(n, "run"))


def _one_run(entry: RunEntry) -> None:
    said = written(entry.said)
    outcome = said if entry.state == runs.DONE else ", ".join(filter(None, (t(entry.state), said)))
    st.markdown(escape_markdown(f"{entry.number}. {run_title(entry.title)}: {outcome}"), width="stretch")
    if entry.has_result and st.button(t("Show run"), key=f"projects_show_{entry.id}"):
        try:
            restore.bring(entry)
        except LearnersError as error:
            _say(error)
        else:
            st.switch_page("pages/inspect.py")
    if entry.state == runs.STOPPED and st.button(t("Repeat run"), key=f"projects_again_{entry.id}", disabled=_busy()):
        runner.start_again(entry)
        st.switch_page("pages/learn.py")
    if entry.state != runs.RUNNING and st.button(t("Remove run"), type="tertiary", key=f"projects_remove_{entry.id}"):
        restore.let_go(entry)
        st.rerun()


def _busy() -> bool:
    return bool(st.session_state.job)


def _do(what: Callable[[], object]) -> None:
    """Apply an action to the workspace and redraw the page."""
    try:
        what()
    except LearnersError as error:
        _say(error)
    st.rerun()


def _change(what: Callable[[], object]) -> None:
    """Switch to another project."""
    try:
        what()
    except LearnersError as error:
        _say(error)
        st.rerun()
    workspace.start_over()
    st.switch_page("pages/start.py")


def _say(error: LearnersError) -> None:
    st.session_state.projects_said = str(error)
    st.rerun()


def _when(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).strftime(
        "%d.%m.%Y, %H:%M" if language() == "de" else "%-d %b %Y, %H:%M"
    )
