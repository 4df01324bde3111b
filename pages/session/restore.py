"""Restore the work of an earlier session from the store."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from learners.common.errors import DataError, LearnersError
from learners.registry import LEARNERS, bound
from learners.store import projects, runs
from learners.store.faults import StoreFault
from learners.store.packing import unpack
from learners.store.validation import check_result
from pages.session import (
    autosave,
    background_knowledge,
    history,
    network_draft,
    notes,
    state,
    storage,
    tables,
    verdicts,
    workspace,
)
from pages.session.jobs import active_runs
from pages.session.serialize import Order, Reader
from pages.session.source import Source
from pages.session.state import Moment, Run

STOPPED = "work_stopped"
NOTHING = {"source": None, "kept": (), "pins": (), "known": (), "by_hand": {}, "large_layout": "hubs"}


def restore_workspace() -> bool:
    """Show the content of the workspace; return False if it is empty or cannot be read now.

    If it cannot be read, it is not overwritten: the session saves its own work to another project.
    """
    here = workspace.place()
    try:
        found = workspace.found()
        if found is None:
            return False
        here.workspace, here.project, here.keeps = found.id, found.opened, found.keeps
        return bool(here.project) and open_project(here.project)
    except LearnersError as error:
        if not isinstance(error, StoreFault):
            st.session_state[workspace.PROBLEM] = str(error)
        here.workspace, here.project, here.was_read = "", "", False
        st.session_state.update(source=None, runs=[], current=-1, pins=[])
        for key in (STOPPED, autosave.SAVED, autosave.SEEN):
            st.session_state.pop(key, None)
        return False


def try_again() -> None:
    """Restart a session that could not read its workspace and has changed nothing, once the store is back."""
    here = workspace.place()
    if here.was_read or here.workspace or storage.fault() is not None or "runs" not in st.session_state:
        return
    if not st.session_state.job and not autosave.is_at_work():
        workspace.start_over()


def open_project(project: str) -> bool:
    """Show the table, runs and pins of a project; return False if it is empty."""
    here, database = workspace.place(), storage.opened()
    # Read before and after the store, so that runs that begin or end meanwhile are not missed.
    going, known_before = active_runs.left_in(here.secret, project), active_runs.tickets()
    body = projects.body(database, here.workspace, project)
    stored = NOTHING | (unpack(body) if body else {})
    entries, _ = runs.listed(database, here.workspace, project, most=state.MAX_RUNS)
    reader = Reader(partial(database.part, here.workspace))
    source = stored["source"] and _source_if_whole(reader, stored["source"])
    wanted = {entry.id: entry for entry in reversed(entries)}
    truth = source and source.truth and source
    done = [entry.id for entry in wanted.values() if entry.state == runs.DONE]
    going = [run for run in going if run.order.ticket not in done]
    shown = list(filter(None, (_if_whole(reader, kept, truth) for kept in runs.read(database, here.workspace, done))))
    if source is None and not shown:
        return False
    here.project = project
    others = list(filter(None, (_quietly(reader, one) for one in stored.get("tables", ()))))
    st.session_state.update(source=source or shown[-1].source, runs=shown, places={}, pins=[], step=None, pair=None)
    of_runs = [run.source for run in shown if run.source.base is None]
    # In the order of their first use; the last ones have the newest settings.
    tables.forget_all_but([*others, *of_runs, *others, st.session_state.source])
    here.named = _automatic_name(here, project, shown)
    active_runs.take(going)
    at_work = known_before | active_runs.tickets()
    st.session_state[STOPPED] = [_rescued(entry) for entry in wanted.values() if _has_stopped(entry, at_work)]
    st.session_state[autosave.SAVED] = set(wanted)
    try:
        _arrange(stored, _as_called(stored.get("numbers", {}), shown))
        st.session_state[autosave.SEEN] = autosave.seen()
    except (KeyError, TypeError, AttributeError, ValueError):  # the file is untrusted
        st.session_state[workspace.PROBLEM] = "the layout of the project is corrupt; its runs are shown without it"
        _arrange(NOTHING, {})
        st.session_state.update({autosave.SEEN: autosave.seen(), "layout": "layered", "large_layout": "hubs"})
    return True


def _automatic_name(here: workspace.Place, project: str, shown: Sequence[Run]) -> str:
    """Return the name of a project if it was named after its tables, or after its first one; empty otherwise."""
    found = next((one.name for one in projects.listed(storage.opened(), here.workspace) if one.id == project), "")
    sources = [run.source for run in shown]
    made = [sources, [*sources, st.session_state.source], *([one] for one in sources)]
    return found if found in map(autosave.name_of, made) else ""


def _has_stopped(entry: runs.RunEntry, at_work: Container[str]) -> bool:
    """Return True if a run was stopped, or is recorded as running here although it is not in progress."""
    return entry.state == runs.STOPPED or (entry.state == runs.RUNNING and entry.here and entry.id not in at_work)


def _rescued(entry: runs.RunEntry) -> runs.RunEntry:
    """Return a stopped run with the partial result that its worker left, if any."""
    here, database = workspace.place(), storage.opened()
    path = database.blobs.left(here.workspace, entry.id)
    if entry.has_result or path is None:
        return entry
    try:
        raw = path.read_bytes()
    except OSError:  # there is no partial result, or another tab has just saved it
        now = runs.read(database, here.workspace, [entry.id])
        return now[0].entry if now else entry
    try:
        result = check_result(unpack(raw))
        outcome = autosave.what_came_out(result)
        runs.finish(database, here.workspace, entry.id, entry.title, raw, outcome, stopped=not result.complete)
        path.unlink(missing_ok=True)
    except (LearnersError, OSError):  # same as without a partial result
        return entry
    return replace(entry, has_result=True, said=outcome)


def _source_if_whole(reader: Reader, stored: Mapping[str, Any]) -> Source | None:
    """Return the table in use; None if its data are missing, as in a project exported without them."""
    try:
        return reader.source(stored)
    except StoreFault:
        raise
    except LearnersError as error:
        st.session_state[workspace.PROBLEM] = f"the table cannot be shown: {error}"
        return None


def _quietly(reader: Reader, stored: Mapping[str, Any]) -> Source | None:
    """Return another table of the project; None if its data are missing."""
    try:
        return reader.source(stored)
    except StoreFault:
        raise
    except LearnersError:
        return None


def _if_whole(reader: Reader, kept: runs.StoredRun, known_truth: Source | None) -> Run | None:
    """Return a stored run; None if a part of it is missing, as in a project exported without its data."""
    try:
        return run_of(reader, kept, known_truth)
    except StoreFault:
        raise
    except LearnersError as error:
        st.session_state[workspace.PROBLEM] = f"run {kept.entry.number} cannot be shown: {error}"
        return None


def run_of(reader: Reader, kept: runs.StoredRun, known_truth: Source | None = None) -> Run:
    """Return a stored run; a true graph that was given later applies to the runs of that table as well."""
    order = reader.order(unpack(kept.order), kept.entry.id)
    result = check_result(unpack(kept.result))
    if result.names != order.dataset.names or result.method not in LEARNERS:
        raise DataError("the stored run does not match its table; repeat it")
    result = bound(result, order.dataset)
    same = known_truth is not None and known_truth.dataset is order.dataset
    truth = (known_truth if same else order.source).truth_over(order.dataset.names)
    return Run(
        kept.entry.number, kept.entry.title, result, order.dataset, truth, order.source, order.knowledge, order.aside,
        order.seed, order.recipe, kept.entry.id,
    )  # fmt: skip


def _as_called(numbers: Mapping[str, int], shown: Sequence[Run]) -> dict[str, Run]:
    """Return the runs by their stored tickets; in a copied project, whose tickets are new, match them by number."""
    found = {run.ticket: run for run in shown}
    if found.keys() & numbers.keys():
        return found
    at = {run.number: run for run in shown}
    return {ticket: at[number] for ticket, number in numbers.items() if number in at}


def _arrange(stored: Mapping[str, Any], shown: Mapping[str, Run]) -> None:
    """Restore the state of the screen, pins, notes and background knowledge."""
    own, now = st.session_state.runs, stored.get("current")
    st.session_state.current = own.index(shown[now]) if now in shown else len(own) - 1
    if now in shown:
        st.session_state.update({name: stored[name] for name in autosave.IN_USE})
    st.session_state.by_hand = dict(stored["by_hand"])
    network_draft.restore(stored.get("drawn"))
    st.session_state[history.KEPT] = {shown[ticket].number for ticket in stored["kept"] if ticket in shown}
    st.session_state.pins = [
        Moment(label, shown[ticket], shown[ticket].result.graph if is_result else graph)
        for label, ticket, graph, is_result in stored["pins"]
        if ticket in shown
    ]
    notes.restore(stored, shown)
    verdicts.restore(stored, shown)
    for names, knowledge in stored["known"]:
        background_knowledge.put(names, knowledge)


def stopped() -> list[runs.RunEntry]:
    """Return the runs that were stopped before their end and not repeated."""
    return st.session_state.setdefault(STOPPED, [])


def order_again(entry: runs.RunEntry) -> Order:
    """Return the order of a stored run.

    Raises
    ------
    DataError
        If the run was deleted.
    """
    here, database = workspace.place(), storage.opened()
    kept = runs.read(database, here.workspace, [entry.id])
    if not kept:
        raise DataError(runs.GONE)
    return Reader(partial(database.part, here.workspace)).order(unpack(kept[0].order), entry.id)


def let_go(entry: runs.RunEntry) -> None:
    """Delete a stored run, and remove it from the session."""
    own = next((run for run in st.session_state.runs if run.ticket == entry.id), None)
    if own is not None:
        state.remove_run(own)
    give_up(entry)


def give_up(entry: runs.RunEntry) -> None:
    """Delete a stored run without removing it from the session's list of runs."""
    autosave.drop(entry.id)
    st.session_state[STOPPED] = [one for one in stopped() if one.id != entry.id]


def bring(entry: runs.RunEntry) -> Run:
    """Show a stored run, loading it if the session does not have it."""
    own = next((run for run in st.session_state.runs if run.ticket == entry.id), None)
    if own is None:
        here, database = workspace.place(), storage.opened()
        kept = runs.read(database, here.workspace, [entry.id])
        if not kept or kept[0].result is None:
            raise DataError(runs.GONE)
        own = run_of(Reader(partial(database.part, here.workspace)), kept[0])
        history.add(st.session_state.runs, own, state.MAX_RUNS)
        autosave.saved().add(own.ticket)
    st.session_state.update(current=st.session_state.runs.index(own), step=None)
    return own
