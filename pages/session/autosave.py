"""Autosave: save the work of a session in the background as it arises."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from learners.data.dataset import Dataset
from learners.data.reading.table import Table
from learners.results.result import LearnResult
from learners.store import project_file, projects, runs, workspaces
from learners.store.database import IN_MEMORY
from learners.store.packing import pack
from learners.store.settings import StoreSettings
from learners.store.store import BlobMissing, Store
from pages.session import (
    background_knowledge,
    history,
    network_draft,
    notes,
    serialize,
    state,
    storage,
    tables,
    verdicts,
    workspace,
)
from pages.session.jobs.limits import limits
from pages.session.serialize import Order, Put
from pages.session.source import Source
from pages.session.state import Run
from pages.session.storage import Place
from viz.text import MAX_TITLE_LENGTH, count, shorten

SEEN, SAVED = "work_seen", "work_saved"  # session keys of the state saved last, and of the tickets of saved runs
GENERATION = "work_generation"  # session key of the generation of the database
CHANGED = "work_changed"  # session key of revised runs by ticket that are not saved yet
PATIENCE = 10.0  # maximum seconds of waiting for the background writer
NO_ROOM = "its result could not be saved yet"
IN_USE = ("layout", "large_layout", "step", "pair")


def seen() -> dict[str, Any]:
    """Return all state that is saved in addition to the runs."""
    own = st.session_state
    names = dict.fromkeys([run.result.names for run in own.runs])
    if own.source is not None and own.source.dataset is not None:
        names[own.source.dataset.names] = None
    at = {run.number: run.ticket for run in own.runs}
    results = {run.ticket: run.result.graph for run in own.runs}
    shown = state.current_run()
    return {
        "source": own.source,
        "tables": tables.listed(),
        "numbers": {run.ticket: run.number for run in own.runs},
        "current": shown and shown.ticket,
        "kept": tuple(at[number] for number in sorted(history.kept()) if number in at),
        "pins": tuple(
            (moment.label, (to := moment.run.ticket), moment.graph, moment.graph is results.get(to))
            for moment in own.pins
        ),
        "known": tuple((name, knowledge) for name in names if (knowledge := background_knowledge.knowledge(name))),
        "drawn": network_draft.stored(),
        "by_hand": {key: dict(places) for key, places in own.by_hand.items()},
        **notes.stored(),
        **verdicts.stored(),
        **{name: own[name] for name in IN_USE},
    }


def note(*, at_work: bool = False) -> bool:
    """Save all changes since the last call in the background, and retry saves that failed in an outage.

    The initial content of a session is saved only once the user has changed something (`at_work`). Return True if there
    is anything to save.
    """
    here = workspace.place()
    if not workspace.is_wanted() or "runs" not in st.session_state:
        return False
    now = seen()
    _save_again_after_replacement()
    before, document = st.session_state.get(SEEN), workspace.document()
    fresh = [run for run in st.session_state.runs if run.ticket not in saved()]
    again = [run for run in st.session_state.runs if _is_due(run.ticket)]
    is_changed = now != before or _is_due(document)
    if not at_work and not again and len(fresh) <= 1 and (before is None or not is_changed):
        st.session_state[SEEN] = now
        return False
    name = _name()
    for run in (*fresh, *again):
        saved().add(run.ticket)
        storage.keep(run.ticket, here.secret, partial(_kept, _add, here, name, run))
    if is_changed:
        st.session_state[SEEN] = now
        storage.keep(document, here.secret, partial(_kept, _save, here, name, now), newest=True)
    for run in [run for ticket, run in _changed().items() if _is_due(_change_of(ticket))]:
        change(run)
    return bool(fresh or again or is_changed)


def is_at_work() -> bool:
    """Return True if the session differs from the initial content of a new session."""
    is_changed = st.session_state.get(SEEN) not in (None, seen()) or workspace.document() in storage.unkept
    return len(st.session_state.runs) > 1 or is_changed


def _is_due(ticket: str) -> bool:
    """Return True if a failed save is to be retried."""
    return ticket in storage.unkept and storage.unkept[ticket].is_due


def _save_again_after_replacement() -> None:
    """Mark everything as unsaved if the database was replaced by another one."""
    now = storage.health().generation
    if st.session_state.setdefault(GENERATION, now) != now:
        st.session_state[GENERATION] = now
        if workspace.place().project:
            st.session_state.update({SAVED: set(), SEEN: ()})


def _kept(work: Callable[..., None], *given: Any) -> None:
    """Do the work, and repeat it once if a concurrent clean-up deleted its new parts."""
    try:
        work(*given)
    except BlobMissing:
        work(*given)


def saved() -> set[str]:
    """Return the tickets of the saved runs."""
    return st.session_state.setdefault(SAVED, set())


def _name(source: Source | None = None) -> str:
    """Return the automatic name of the project: the tables of its runs, and that of a new run or the one in use."""
    return name_of([*(run.source for run in st.session_state.runs), source or st.session_state.source])


def name_of(sources: Iterable[Source | None]) -> str:
    """Name up to two tables and count the rest; bundled tables are used only if there are no others."""
    named = [one for one in sources if one and one.title.strip()]
    own = [one for one in named if not one.is_public]
    titles = list(dict.fromkeys(shorten(one.title, MAX_TITLE_LENGTH) for one in own or named))
    if len(titles) <= 2:
        return " and ".join(titles) or "Project"
    return f"{titles[0]}, {titles[1]} and {count(len(titles) - 2, 'other table')}"


def _ensure(here: Place, name: str) -> None:
    """Create the project if it does not exist, and rename it with its tables unless the user has named it."""
    here.ensure(name)
    if name != here.named:
        projects.rename_automatic(storage.opened(), here.workspace, here.project, here.named, name)
        here.named = name


def _save(here: Place, name: str, now: Mapping[str, Any]) -> None:
    _ensure(here, name)
    projects.save(storage.opened(), here.workspace, here.project, *_document(now, partial(storage.put, here.workspace)))


def _document(now: Mapping[str, Any], put: Put) -> tuple[bytes, Collection[str]]:
    """Return the packed state other than the runs, and the names of the parts that it needs."""
    packed_source = now["source"] and serialize.packed_source_of(now["source"], put)
    others = tuple(serialize.packed_source_of(one, put) for one in now["tables"] if one is not now["source"])
    parts = {part for one in (packed_source, *others) if one for part in serialize.parts_of(one)}
    return pack({**now, "source": packed_source, "tables": others}), parts


def _add(here: Place, name: str, run: Run) -> None:
    _ensure(here, name)
    stopped = storage.was_stopped(run.ticket)
    runs.add(
        storage.opened(),
        here.workspace,
        here.project,
        run.ticket,
        *_packed(run, partial(storage.put, here.workspace)),
        stopped=stopped,
    )


def _packed(run: Run, put: Put) -> tuple[str, bytes, set[str], bytes, str]:
    """Return title, order, names of parts, result and outcome of a run, packed."""
    order = Order(
        run.result.method, run.dataset, run.knowledge, run.result.params, run.source, run.aside, run.seed, run.recipe
    )
    packed_order = serialize.packed_order_of(order, put)
    return run.title, pack(packed_order), serialize.parts_of(packed_order), pack(run.result), what_came_out(run.result)


def change(run: Run) -> None:
    """Save a revised run in the background; of changes in quick succession only the last is written."""
    here, ticket = workspace.place(), run.ticket
    if not workspace.is_wanted():
        return
    if ticket not in saved():
        note(at_work=True)
        return
    changed = _changed()
    changed[ticket] = run
    storage.keep(_change_of(ticket), here.secret, partial(_kept, _change, here, changed, ticket))


def _changed() -> dict[str, Run]:
    return st.session_state.setdefault(CHANGED, {})


def _change_of(ticket: str) -> str:
    """Return the ticket under which a change of a run is saved."""
    return f"{ticket} change"


def _change(here: Place, changed: dict[str, Run], ticket: str) -> None:
    run = changed.get(ticket)
    if run is None:  # an earlier save has included it
        return
    runs.change(storage.opened(), here.workspace, ticket, *_packed(run, partial(storage.put, here.workspace)))
    if changed[ticket] is run:
        del changed[ticket]


def begin(order: Order, title: str) -> Place | None:
    """Record the start of a run in the background; return where it is saved, or None if saving is off."""
    here = workspace.place()
    if not workspace.is_wanted():
        return None
    note(at_work=True)
    saved().add(order.ticket)
    storage.keep(order.ticket, here.secret, partial(_kept, _begin, here, order, title, _name(order.source)))
    return here


def _begin(here: Place, order: Order, title: str, name: str = "") -> None:
    _ensure(here, name or here.named or name_of([order.source]))
    packed_order = serialize.packed_order_of(order, partial(storage.put, here.workspace))
    runs.begin(
        storage.opened(),
        here.workspace,
        here.project,
        order.ticket,
        title,
        pack(packed_order),
        serialize.parts_of(packed_order),
    )
    storage.begun[order.ticket] = here.generation


def left_at(here: Place | None, order: Order) -> str:
    """Return the file for the partial result of a worker whose app process is killed; empty if there is none."""
    if here is None:
        return ""
    with suppress(TimeoutError):
        storage.writer().wait(PATIENCE)  # for the creation of the workspace
    database = storage.store()
    path = database.blobs.left(here.workspace, order.ticket) if database and here.workspace else None
    return str(path or "")


def finish(here: Place | None, order: Order, result: LearnResult | None, *, stopped: bool = False) -> None:
    """Save the result of a run before it is shown; None deletes the run. Any thread may call this.

    A run that was `stopped` before its end can be repeated; its partial result is saved.
    """
    if here is None:
        return
    storage.writer().wait()
    stopped = stopped and result is not None and not result.complete
    began_there = storage.begun.pop(order.ticket, None) == storage.health().generation
    if result is None:
        end = partial(_remove, here, order.ticket)
    elif not began_there or order.ticket in storage.unkept:
        end = partial(_kept, _add_ended, here, order, result, stopped)
    else:
        end = partial(_finish, here, order, result, stopped)
    saved = storage.keep(order.ticket, here.secret, end, stopped=stopped)
    if saved.exception() is not None and result is not None:  # a page shows why saving failed
        storage.hold(order.ticket, here.secret, end, limits().abandoned_seconds)
        storage.writer().do(f"{here.secret} {order.ticket}", partial(_stop, here, order.ticket), newest=True)


def _stop(here: Place, ticket: str) -> None:
    runs.stop(storage.opened(), here.workspace, ticket, NO_ROOM)


def _remove(here: Place, ticket: str) -> None:
    runs.remove(storage.opened(), here.workspace, ticket)


def _finish(here: Place, order: Order, result: LearnResult, stopped: bool) -> None:
    title, *packed = _packed_ended(order, result)
    runs.finish(storage.opened(), here.workspace, order.ticket, title, *packed, stopped=stopped)


def _add_ended(here: Place, order: Order, result: LearnResult, stopped: bool) -> None:
    here.ensure(here.named or name_of([order.source]))
    title, *ended = _packed_ended(order, result)
    packed_order = serialize.packed_order_of(order, partial(storage.put, here.workspace))
    begun = (title, pack(packed_order), serialize.parts_of(packed_order))
    runs.add(storage.opened(), here.workspace, here.project, order.ticket, *begun, *ended, stopped=stopped)


def _packed_ended(order: Order, result: LearnResult) -> tuple[str, bytes, str]:
    """Return title, packed result and outcome of a finished run."""
    result = state.with_use(result, order.dataset, order.source)
    return state.title_of(order.key, result, order.source, order.knowledge), pack(result), what_came_out(result)


def what_came_out(result: LearnResult) -> str:
    """Return the outcome of a run for a list of runs."""
    return count(result.graph.n_edges, "edge") + ("" if result.complete else ", cancelled")


def drop(ticket: str) -> None:
    """Delete a discarded run, or a run that never began."""
    here = workspace.place()
    storage.forget(ticket)
    if workspace.is_wanted():
        storage.keep(f"{ticket} removal", here.secret, partial(_remove, here, ticket))


def say(order: Order, text: str) -> None:
    """Save the progress of a run."""
    here = workspace.place()
    if workspace.is_kept():
        about = partial(_say, here, order.ticket, text)
        storage.writer().do(f"{here.secret} {order.ticket}", about, newest=True)


def _say(here: Place, ticket: str, text: str) -> None:
    runs.record_progress(storage.opened(), here.workspace, ticket, text)


def exported(*, data: bool) -> tuple[str, Callable[[], bytes]]:
    """Return the name of the project and a function that makes its project file, without the store."""
    now, shown = seen(), tuple(st.session_state.runs)
    name = _name()
    return name, partial(_exported, name, now, shown, data=data)


def _exported(name: str, now: Mapping[str, Any], shown: Iterable[Run], *, data: bool) -> bytes:
    database = Store(StoreSettings(IN_MEMORY, None))
    workspace = workspaces.make(database, workspaces.new_address()).id
    project = projects.create(database, workspace, name)

    def put(value: Table | Dataset) -> str:
        return database.put(workspace, pack(value))

    for run in shown:
        runs.add(database, workspace, project, run.ticket, *_packed(run, put))
    projects.save(database, workspace, project, *_document(now, put))
    return project_file.export_project(database, workspace, project, data=data)


def settle() -> None:
    """Wait until all changes are saved, for at most `PATIENCE` seconds."""
    note()
    with suppress(TimeoutError):
        storage.writer().wait(PATIENCE)
