"""What a session makes is kept as it arises: behind the page, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from learners.results.result import LearnResult
from learners.store import projects, runs
from learners.store.packing import pack
from learners.store.store import PartsGone
from pages.session import building, documents, keeper, keeping, known, notes, state, work
from pages.session.documents import Order
from pages.session.keeper import Place
from pages.session.limits import limits
from pages.session.source import Source
from pages.session.state import Run
from viz.text import LONGEST_TITLE, count, shorten

SEEN, SAVED = "work_seen", "work_saved"  # what was kept last beside the runs, and which runs are
CHANGED = "work_changed"  # runs by ticket that were changed in their place and are not kept so yet
PATIENCE = 10.0  # seconds
NO_ROOM = "there was no room yet to keep what it found"
IN_USE = ("layout", "step", "pair")


def seen() -> dict[str, Any]:
    """All that is kept beside the runs, as it is now."""
    own = st.session_state
    names = dict.fromkeys([run.result.names for run in own.runs])
    if own.source is not None and own.source.dataset is not None:
        names[own.source.dataset.names] = None
    at = {run.number: run.ticket for run in own.runs}
    results = {run.ticket: run.result.graph for run in own.runs}
    shown = state.current_run()
    return {
        "source": own.source,
        "numbers": {run.ticket: run.number for run in own.runs},
        "current": shown and shown.ticket,
        "kept": tuple(at[number] for number in sorted(keeping.kept()) if number in at),
        "pins": tuple((one.label, (to := one.run.ticket), one.graph, one.graph is results.get(to)) for one in own.pins),
        "known": tuple((one, told) for one in names if (told := known.knowledge(one))),
        "drawn": building.told(),
        "by_hand": {key: dict(places) for key, places in own.by_hand.items()},
        **notes.told(),
        **{name: own[name] for name in IN_USE},
    }


def note(*, at_work: bool = False) -> None:
    """Keep what has changed since the last time, behind the page; what every visitor finds only once he is at work."""
    here = work.place()
    if not here.secret or not here.keeps or keeper.store() is None or "runs" not in st.session_state:
        return
    now, before = seen(), st.session_state.get(SEEN)
    fresh = [run for run in st.session_state.runs if run.ticket not in saved()]
    again = [run for run in st.session_state.runs if (told := keeper.unkept.get(run.ticket)) and told.is_due]
    if not at_work and not again and len(fresh) <= 1 and before in (None, now):
        st.session_state[SEEN] = now
        return
    name = _name(now["source"])
    for run in (*fresh, *again):
        saved().add(run.ticket)
        keeper.keep(run.ticket, here.secret, partial(_kept, _add, here, name, run))
    if now != before:
        st.session_state[SEEN] = now
        keeper.writer().do(f"{here.secret} session", partial(_kept, _save, here, name, now), newest=True)


def _kept(work: Callable[..., None], *given: Any) -> None:
    """Do it, once more if another session of the workspace has tidied up what this one had just put."""
    try:
        work(*given)
    except PartsGone:
        work(*given)


def saved() -> set[str]:
    """Tickets of the runs that are kept."""
    return st.session_state.setdefault(SAVED, set())


def _name(source: Source | None) -> str:
    return shorten(source.title, LONGEST_TITLE) if source and source.title.strip() else "Project"


def _save(here: Place, name: str, now: Mapping[str, Any]) -> None:
    here.ensure(name)
    one, source = keeper.store(), now["source"]
    told = source and documents.told_source(source, partial(keeper.put, here.workspace))
    body = pack({**now, "source": told})
    projects.save(one, here.workspace, here.project, body, documents.parts_of(told) if told else ())


def _add(here: Place, name: str, run: Run) -> None:
    here.ensure(name)
    stopped = keeper.was_stopped(run.ticket)
    runs.add(keeper.store(), here.workspace, here.project, run.ticket, *_packed(here, run), stopped=stopped)


def _packed(here: Place, run: Run) -> tuple[str, bytes, set[str], bytes, str]:
    """Title, order, the parts that it needs, result, and what came out."""
    order = Order(
        run.result.method, run.dataset, run.knowledge, run.result.params, run.source, run.aside, run.seed, run.recipe
    )
    told = documents.told_order(order, partial(keeper.put, here.workspace))
    return run.title, pack(told), documents.parts_of(told), pack(run.result), what_came_out(run.result)


def change(run: Run) -> None:
    """Keep a run that was changed in its place, behind the page; of changes in quick succession the last."""
    here = work.place()
    if not here.secret or not here.keeps or keeper.store() is None:
        return
    if run.ticket not in saved():
        note(at_work=True)
        return
    changed = st.session_state.setdefault(CHANGED, {})
    changed[run.ticket] = run
    keeper.writer().do(here.secret, partial(_kept, _change, here, changed, run.ticket))


def _change(here: Place, changed: dict[str, Run], ticket: str) -> None:
    run = changed.get(ticket)
    if run is None:  # what was asked for before has kept it already
        return
    runs.change(keeper.store(), here.workspace, ticket, *_packed(here, run))
    if changed[ticket] is run:
        del changed[ticket]


def begin(order: Order, title: str) -> Place | None:
    """Keep that a run began, behind the page; where it goes, or None if nothing is kept."""
    here = work.place()
    if not here.secret or not here.keeps or keeper.store() is None:
        return None
    note(at_work=True)
    saved().add(order.ticket)
    keeper.keep(order.ticket, here.secret, partial(_kept, _begin, here, order, title))
    return here


def _begin(here: Place, order: Order, title: str) -> None:
    here.ensure(_name(order.source))
    one = keeper.store()
    told = documents.told_order(order, partial(keeper.put, here.workspace))
    runs.begin(one, here.workspace, here.project, order.ticket, title, pack(told), documents.parts_of(told))


def left_at(here: Place | None, order: Order) -> str:
    """The file in which a worker leaves what it has, if this process is killed; empty if there is none."""
    if here is None:
        return ""
    with suppress(TimeoutError):
        keeper.writer().wait(PATIENCE)  # until the workspace is there
    path = keeper.store().parts.left(here.workspace, order.ticket) if here.workspace else None
    return str(path or "")


def finish(here: Place | None, order: Order, result: LearnResult | None, *, stopped: bool = False) -> None:
    """Keep what came out of a run, before anybody is shown it; None if nothing did. Any thread may call this.

    One that was `stopped` before its end can be started again; what it had is kept.
    """
    if here is None:
        return
    keeper.writer().wait()
    stopped = stopped and result is not None and not result.complete
    if result is None:
        end = partial(_remove, here, order)
    elif order.ticket in keeper.unkept:  # it did not begin there
        end = partial(_kept, _add_ended, here, order, result, stopped)
    else:
        end = partial(_finish, here, order, result, stopped)
    told = keeper.keep(order.ticket, here.secret, end, stopped=stopped)
    if told.exception() is not None and result is not None:  # waits; a page says why work is not kept
        keeper.hold(order.ticket, here.secret, end, limits().abandoned_seconds)
        unkept = partial(runs.stop, keeper.store(), here.workspace, order.ticket, NO_ROOM)
        keeper.writer().do(f"{here.secret} {order.ticket}", unkept, newest=True)


def _remove(here: Place, order: Order) -> None:
    runs.remove(keeper.store(), here.workspace, order.ticket)


def _finish(here: Place, order: Order, result: LearnResult, stopped: bool) -> None:
    title, *told = _told_ended(order, result)
    runs.finish(keeper.store(), here.workspace, order.ticket, title, *told, stopped=stopped)


def _add_ended(here: Place, order: Order, result: LearnResult, stopped: bool) -> None:
    here.ensure(_name(order.source))
    title, *ended = _told_ended(order, result)
    told = documents.told_order(order, partial(keeper.put, here.workspace))
    begun = (title, pack(told), documents.parts_of(told))
    runs.add(keeper.store(), here.workspace, here.project, order.ticket, *begun, *ended, stopped=stopped)


def _told_ended(order: Order, result: LearnResult) -> tuple[str, bytes, str]:
    """Title of a run that has ended, its result, and what came out."""
    result = state.with_use(result, order.dataset, order.source)
    return state.title_of(order.key, result, order.source, order.knowledge), pack(result), what_came_out(result)


def what_came_out(result: LearnResult) -> str:
    """What a list of runs says of it."""
    return count(result.graph.n_edges, "edge") + ("" if result.complete else ", cancelled")


def drop(of: Run | Order) -> None:
    """Delete a run that is not wanted any more, or that never began."""
    here = work.place()
    keeper.forget(of.ticket)
    if work.is_kept():
        keeper.writer().do(here.secret, lambda: runs.remove(keeper.store(), here.workspace, of.ticket))


def say(order: Order, said: str) -> None:
    """Keep how far a run is."""
    here = work.place()
    if work.is_kept():
        about = partial(_say, here, order.ticket, said)
        keeper.writer().do(f"{here.secret} {order.ticket}", about, newest=True)


def _say(here: Place, ticket: str, said: str) -> None:
    runs.say(keeper.store(), here.workspace, ticket, said)


def settle() -> None:
    """Wait until all is kept that was made so far, a moment at most."""
    note()
    with suppress(TimeoutError):
        keeper.writer().wait(PATIENCE)
