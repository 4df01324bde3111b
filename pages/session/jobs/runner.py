"""Start, watch, cancel and collect runs of a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

import streamlit as st

from learners.choosing.recommendation import Recommendation, recommend
from learners.common.cancellable_job import Job, Progress
from learners.common.errors import LearnersError
from learners.common.progress import Tick
from learners.common.run_warning import RunWarning
from learners.common.sentences import Message, Phrase, phrase
from learners.common.task_pool import TaskHandle
from learners.data.dataset import Dataset
from learners.data.resampling import held_out
from learners.families.averaging.bootstrap import RESAMPLES
from learners.families.phgs.solution_path import SOLUTION_PATH
from learners.graphs.knowledge import Knowledge
from learners.recipes.recipe import Recipe
from learners.registry import LEARNERS, learn
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult
from learners.store.runs import RunEntry
from learners.verdict.remedies import CURVED_RUN
from learners.workers.remote import learn_in_worker, write_result
from learners.workers.warm_up import FIRST_LEARNER, PREPARING, kind_of, prepare
from pages.session import autosave, background_knowledge, restore, state
from pages.session.jobs import active_runs, dispatch, estimates, progress_with_cancel
from pages.session.jobs.active_runs import UnderWay
from pages.session.jobs.log import APP, WORKER, record
from pages.session.serialize import Order
from pages.session.state import Run, Source
from pages.session.words import progress_words, t, written
from viz.labels import with_labels
from viz.text import MAX_TITLE_LENGTH, as_sentence, count, escape_markdown, format_seconds, shorten

COUNTED = {  # noun and verb of the items counted in a phase
    SOLUTION_PATH: ("graph", "scored"),
    str(RESAMPLES): ("resample", "learned from"),
    str(Phase(Stage.BACKWARD_ELIMINATION)): ("edge", "judged"),
    "groups": ("group", "refined"),
    "partners": ("variable", "searched for partners"),
    "spouses": ("variable", "searched for spouses"),
    "targets": ("variable", "searched"),
}
MAX_BEST = 3  # maximum number of recommended learners that are listed
QUICK_SECONDS = 0.3  # seconds of waiting before a progress bar appears


def start(
    key: str, dataset: Dataset, knowledge: Knowledge | None, params: Mapping[str, Any], source: Source | None = None
) -> None:
    """Start a run of a learner, one at a time per session, on the table in use unless `source` is given."""
    st.session_state.job_error = ""
    _begin(Order(key, dataset, knowledge, params, source or state.source()))


def start_again(entry: RunEntry) -> None:
    """Repeat a run that was interrupted by the end of its process."""
    order = restore.order_again(entry)
    restore.give_up(entry)
    start_all([order])


def start_first(source: Source) -> None:
    """Run the recommended learner, or without a recommendation the first that accepts the table.

    Settings are defaults, but where relations are curved, BOSS runs with basis functions.
    """
    dataset = source.dataset
    key, params = CURVED_RUN
    if not has_curves(dataset):
        params = {}
        try:
            key = recommended(dataset).learner
        except LearnersError:
            key = next(key for key in (FIRST_LEARNER, *LEARNERS) if LEARNERS[key].refusal(dataset) is None)
    start(key, dataset, background_knowledge.knowledge(dataset.names), params, source)


def follow(recipe: Recipe, source: Source) -> None:
    """Run a recipe on a table that was prepared by its plan."""
    dataset, share = source.dataset, recipe.held_out
    dataset, aside = held_out(dataset, share, seed=0) if share else (dataset, None)
    start_all([Order(recipe.learner, dataset, recipe.knowledge, recipe.parameters, source, aside, recipe.seed, recipe)])


def start_all(orders: Sequence[Order]) -> None:
    """Run several orders in turn."""
    first, *rest = orders
    st.session_state.job_error = ""
    st.session_state.orders = rest
    _begin(first)


def waiting() -> list[Order]:
    """Return the orders that follow the run in progress."""
    return st.session_state.get("orders", [])


def _begin(order: Order) -> None:
    order = replace(order, ticket=uuid4().hex)
    kept_at = autosave.begin(order, f"{LEARNERS[order.key].label} on {shorten(order.source.title, MAX_TITLE_LENGTH)}")
    active = UnderWay(order, _place_for(order), kept_at, waiting())
    active_runs.begin(active, lambda tick: _run(active, tick))
    # A short run shows no progress bar, which would only flash.
    active.job.wait(QUICK_SECONDS)


def _place_for(order: Order) -> TaskHandle | None:
    """Return the state of a remote task for a run; None if it stays in this process."""
    try:
        return dispatch.remote_task(estimates.seconds_of(order.key, order.dataset, order.params))
    except LearnersError:  # the run will show this error itself
        return None


def _run(active: UnderWay, tick: Tick) -> LearnResult | None:
    """Run an order and save its result; return None if it was cancelled during compilation."""
    order, result = active.order, None
    try:
        if prepare((order.key, kind_of(order.dataset)), tick):
            if active.running and (path := autosave.left_at(active.place, order)):
                active.running.rescue = partial(write_result, path)
            result = _with_reason(_learned(order, tick, active.running), active.reason)
    finally:
        autosave.finish(active.place, order, result, stopped=active_runs.is_stopped(active))
        active_runs.ended(active)
    return result


def _with_reason(result: LearnResult | None, reason: Phrase | None) -> LearnResult | None:
    """Add the reason for the end of a partial result to its warnings, unless the user cancelled it."""
    if result is None or result.complete or reason is None:
        return result
    return replace(result, warnings=(RunWarning("ended", reason.sentence), *result.warnings))


def _learned(order: Order, tick: Tick, running: TaskHandle | None) -> LearnResult | None:
    """Return the result, learned in this process or by a worker."""
    given = {"knowledge": order.knowledge, "tick": tick, "seed": order.seed, **order.params}
    if running is None:
        return record().run(order.key, order.dataset, APP, lambda: learn(order.key, order.dataset, **given))
    apart = partial(learn_in_worker, dispatch.workers(), order.key, order.dataset, running=running, **given)
    return record().run(order.key, order.dataset, WORKER, apart)


def collect() -> Run | None:
    """Store and return the result of a run that has ended; None if there is none.

    An error is kept for `show_error`.
    """
    job: Job | None = st.session_state.job
    if job is None or job.running:
        return None
    order = active_runs.taken_away().order
    try:
        result = job.result()
        if job.reason:
            _say(job.reason if result is None else phrase("{problem}; the partial result is saved", problem=job.reason))
        if result is None:
            autosave.drop(order.ticket)
            return None
        run = state.add_run(
            order.key, result, order.dataset, order.source, order.knowledge, order.aside, order.seed, order.recipe,
            order.ticket,
        )  # fmt: skip
        if result.complete:
            estimated = estimates.seconds_of(order.key, order.dataset, order.params)
            estimates.experience().note(order.key, estimated, result.seconds)
        return run
    except LearnersError as error:
        learner, message = LEARNERS[order.key], with_labels(str(error), LEARNERS[order.key])
        _say(f"{t(learner.label)}: {message}" if st.session_state.job_error else message)
        return None
    finally:
        if waiting():
            _begin(waiting().pop(0))
        else:
            active_runs.take_next()


def is_done(work: Callable[[], object]) -> bool:
    """Apply an action to a stored run; if it fails, keep the error for `show_error` and return False."""
    try:
        work()
    except LearnersError as error:
        st.session_state.job_error = str(error)
        return False
    return True


def _say(sentence: str) -> None:
    """Append a sentence to the error that `show_error` shows."""
    problem = st.session_state.job_error
    both = phrase("{problem}; {sentence}", problem=Message(problem), sentence=Message(sentence))
    st.session_state.job_error = both if problem else sentence


def show_error() -> None:
    """Show why the last run failed, until the next one starts."""
    sentence = st.session_state.get("job_error")
    if sentence:
        st.error(escape_markdown(written(as_sentence(sentence))), icon=":material/error:")


def watch() -> None:
    """Show the progress of the run in progress, with Cancel."""
    progress_with_cancel.watch(
        lambda: st.session_state.job,
        _progress_text,
        "learn_cancel",
        ended=state.forget_timers,
        cancelled=lambda: waiting().clear(),
        below=_show_waiting,
    )


def _progress_text(now: Progress) -> tuple[float, str]:
    """Return the completed share and a text; save the text in case the run never ends."""
    share, text = _in_words(now)
    autosave.say(active_runs.shown().order, text)
    return share, text


def _in_words(now: Progress) -> tuple[float, str]:
    share = min(now.done / now.total, 1.0) if now.total else 0.0
    active = active_runs.shown()
    label = t(LEARNERS[active.order.key].label)
    if now.phase == PREPARING:
        return share, t("Preparing {label} (once on this server)", label=label)
    counted = COUNTED.get(now.phase)
    total = written(f"{count(now.total, counted[0])} {counted[1]}") if counted else f"{now.total:,}"
    # The total is 0 for a search, whose number of moves is unknown.
    far = ": " + t("{n} of {total}", n=now.done, total=total) if now.total else ""
    again = ", " + t("restarted after a worker was lost") if active.running and active.running.lost else ""
    return share, f"{label}, {progress_words(now.phase)}{far}, {format_seconds(now.seconds)}{again}"


def _show_waiting() -> None:
    for order in waiting():
        st.caption(t("Waiting: {label}", label=LEARNERS[order.key].label))


@st.fragment(run_every=1.0)
def watch_from_elsewhere() -> None:
    """Show the run in progress in one line on other pages, and redraw the page when it ends."""
    job: Job | None = st.session_state.job
    if job is None or not job.running:
        state.forget_timers()
        st.rerun()
    st.info(
        t("A run is in progress: {phase}.", phase=progress_words(job.progress.phase)), icon=":material/hourglass_top:"
    )


def has_curves(dataset: Dataset) -> bool:
    """Return True if the checks of the table found nonlinear relations; False before them."""
    found = st.session_state.get("assumptions", {}).get(dataset.fingerprint)
    return found is not None and found.nonlinear and LEARNERS[CURVED_RUN[0]].refusal(dataset) is None


def recommended(dataset: Dataset, goal: str = "graph") -> Recommendation:
    """Return the recommendation for a table and a goal; LearnersError if no learner suits them."""
    with st.spinner(t("Looking for the learner…")):
        return _recommended(dataset.fingerprint, goal, dataset)


def best_learners(found: Recommendation) -> list[str]:
    """Return the keys of the recommended learners, the best first: those that Learn lists and Compare selects."""
    second = [] if found.second is None else [found.second.key]
    return list(dict.fromkeys([found.learner, *second, *(choice.key for choice in found.choices)]))[:MAX_BEST]


@st.cache_data(show_spinner=False, max_entries=16, scope="session")
def _recommended(fingerprint: str, goal: str, _dataset: Dataset) -> Recommendation:  # noqa: ARG001  (cache key)
    return recommend(_dataset, goal)
