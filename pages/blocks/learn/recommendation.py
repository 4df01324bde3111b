"""Recommendation of a learner for the table, and a trial of the best three on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from learners.choosing.recommendation import EXACT
from learners.choosing.trial import RESAMPLES, Trial, trial
from learners.common.cancellable_job import Job, Progress
from learners.common.errors import LearnersError
from learners.common.progress import Tick
from learners.common.sentences import Count
from learners.common.task_pool import TaskHandle
from learners.data.dataset import Dataset
from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS
from learners.verdict.remedies import CURVED_RUN
from learners.workers.remote import trial_in_worker
from learners.workers.warm_up import PREPARING, kind_of, prepare
from pages.blocks import parameter_widgets
from pages.blocks.learn.learner_form import choose
from pages.session import background_knowledge, state
from pages.session.data_frame import show_table
from pages.session.jobs import dispatch, estimates, ownership
from pages.session.jobs.progress_with_cancel import watch
from pages.session.jobs.runner import QUICK_SECONDS, best_learners, has_curves
from pages.session.jobs.runner import recommended as recommended_learner
from pages.session.state import LEARNER, Source
from pages.session.words import headings, labels_of, t, written
from viz.choosing.learner_list import GROUPS, PROBABILITIES
from viz.choosing.trial import AGREEMENT, EXPLAINED, HELD_OUT, STABILITY, trial_sentences, trial_table
from viz.text import as_sentence, escape_markdown, format_seconds, format_span

GOALS = {"graph": "One graph", "ranking": "Ranked pairs", "probabilities": "Edge probabilities"}
MCMC = "order_mcmc"


def recommended(here: Source) -> list[str]:
    """Let the user choose the goal, show the recommended learner with its reason, and return the best learners."""
    goal = st.selectbox(
        t("Recommendation for"), list(GOALS), format_func=labels_of(GOALS), key="learn_goal", persist_state="session"
    )
    try:
        found = recommended_learner(here.dataset, goal)
    except LearnersError as error:
        st.caption(escape_markdown(written(as_sentence(str(error)))))
        return [next(key for key, learner in LEARNERS.items() if learner.refusal(here.dataset) is None)]
    best = best_learners(found)
    if goal == "graph" and has_curves(here.dataset):
        best = list(dict.fromkeys([CURVED_RUN[0], *best]))[: len(best)]
        st.markdown(
            t("**Recommended:** {label} with basis functions", label=t(LEARNERS[best[0]].label)),
            help=t("Some relations of this table are nonlinear. Scores that assume lines miss such edges."),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            _choose_curved(here)
            _compare(here, best)
        return best
    label = _label(found.learner, goal)
    if found.second is None:
        shown = t("**Recommended:** {label}", label=label)
    else:
        second = _label(found.second.key, goal)
        shown = t("**Recommended:** {label}. Close second: {second}.", label=label, second=second)
    st.markdown(shown, help=escape_markdown(written(found.sentence)))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.session_state.get(LEARNER) not in (None, found.learner):
            label = t("Choose {label}", label=t(LEARNERS[found.learner].label))
            st.button(label, key="learn_take", icon=":material/recommend:", on_click=choose, args=(found.learner,))
        _compare(here, best)
    return best


def _label(key: str, goal: str) -> str:
    """Write the label of a learner, with the edges that its graph has where it gives numbers on edges."""
    if goal != "graph" or key not in GROUPS[PROBABILITIES]:
        return t(LEARNERS[key].label)
    template = "{label} (edges with P > 0.5)"
    if key == "bootstrap":
        template = "{label} (edges in more than half of the resamples)"
    return t(template, label=t(LEARNERS[key].label))


def _choose_curved(here: Source) -> None:
    """Offer to set the learner and its settings for curved relations, unless the form has them."""
    key, params = CURVED_RUN
    learner = LEARNERS[key]
    states = {
        parameter_widgets.key_of(one, learner): params[one.name]
        for one in learner.parameters_of(here.dataset)
        if one.name in params
    }
    is_set = all(st.session_state.get(name) == value for name, value in states.items())
    if st.session_state.get(LEARNER) in (None, key) and is_set:
        return

    def take() -> None:
        choose(key)
        st.session_state.update(states)

    label = t("Choose {label} with basis functions", label=t(learner.label))
    st.button(label, key="learn_take_curved", icon=":material/recommend:", on_click=take)


def _compare(here: Source, best: Sequence[str]) -> None:
    """Offer to try the best learners on the table."""
    if st.button(
        t("Compare {best} learners", best=len(best)),
        key="learn_try",
        icon=":material/compare_arrows:",
        disabled=bool(st.session_state.get("trial_job")) or len(best) < 2,
        help=t(
            "{learners}: each runs on all rows, on an 80/20 split and on {n} bootstrap samples.",
            learners=", ".join(t(LEARNERS[key].label) for key in best),
            n=RESAMPLES,
        ),
    ):
        _begin(here, best)


def exact_instead(here: Source, key: str) -> None:
    """Suggest exact sums where MCMC was chosen and the table is small enough for them."""
    exact = LEARNERS[EXACT]
    if key != MCMC or exact.refusal(here.dataset) is not None:
        return
    low, high = estimates.expected_range(EXACT, here.dataset, {})
    st.info(
        t(
            "{label}: exact probabilities, in {span}.",
            label=t(exact.label),
            span=written(format_span(low, high)),
        ),
        icon=":material/functions:",
    )
    st.button(t("Choose {label}", label=t(exact.label)), key="learn_exact", on_click=choose, args=(EXACT,))


def _begin(here: Source, keys: Sequence[str]) -> None:
    knowledge = background_knowledge.knowledge(here.dataset.names)
    runs = RESAMPLES + 2  # plus one run on all rows and one without the held-out rows
    running = dispatch.remote_task(runs * sum(estimates.seconds_of(key, here.dataset, {}) for key in keys))
    st.session_state.trial_job = ownership.begin(_work(here.dataset, keys, knowledge, running), running)
    st.session_state.trial_of = here
    st.session_state.trial_job.wait(QUICK_SECONDS)
    st.rerun()


def _work(
    dataset: Dataset, keys: Sequence[str], knowledge: Knowledge | None, running: TaskHandle | None
) -> Callable[[Tick], Trial | None]:
    def work(tick: Tick) -> Trial | None:
        if not all(prepare((key, kind_of(dataset)), tick) for key in keys):
            return None
        if running is None:
            return trial(dataset, keys, knowledge=knowledge, tick=tick)
        return trial_in_worker(dispatch.workers(), dataset, keys, knowledge=knowledge, tick=tick, running=running)

    return work


def _collect() -> None:
    """Store the result of a finished trial, or its error."""
    job: Job | None = st.session_state.get("trial_job")
    if job is None or job.running:
        return
    st.session_state.trial_job = None
    of = st.session_state.pop("trial_of")
    try:
        st.session_state.trial = (of, job.result(), job.reason)
    except LearnersError as error:
        st.session_state.trial = (of, None, str(error))


def tried(here: Source) -> None:
    """Show the trial of the best learners, or its progress."""
    _collect()
    if st.session_state.get("trial_job"):
        watch(lambda: st.session_state.trial_job, _progress_text, "learn_cancel_try")
        return
    of, found, reason = st.session_state.get("trial", (None, None, ""))
    if of is None or of.dataset.fingerprint != here.dataset.fingerprint:
        return
    if found is None:
        st.info(escape_markdown(written(as_sentence(reason)) if reason else t("Cancelled.")))
        return
    _show(of, found)


def _show(of: Source, found: Trial) -> None:
    for sentence in trial_sentences(found):
        st.markdown(f"- {escape_markdown(written(sentence))}")
    show_table(
        trial_table(found),
        hide_index=True,
        key="learn_tried",
        alt=t("Learners tried on this table"),
        column_config=headings(("learner",))
        | {
            name: st.column_config.NumberColumn(t(name), format=form, help=t(EXPLAINED.get(name, "")) or None)
            for name, form in ((HELD_OUT, "%+.3f"), (STABILITY, "%.2f"), (AGREEMENT, "%.2f"), ("seconds", "%.2f"))
        },
    )
    if st.button(t("Compare graphs"), key="learn_show_tried", icon=":material/hub:"):
        knowledge = background_knowledge.knowledge(of.dataset.names)
        for learner in found.tried:
            state.add_run(learner.key, learner.result, of.dataset, of, knowledge)
        st.session_state.compare_follow = len(found.tried)
        st.switch_page("pages/compare.py")


def _progress_text(progress: Progress) -> tuple[float, str]:
    share = min(progress.done / progress.total, 1.0) if progress.total else 0.0
    if progress.phase == PREPARING:
        return share, t("Preparing the learners (once on this server)")
    return share, t(
        "{done} of {runs}, {seconds}",
        done=progress.done,
        runs=Count(progress.total, "run"),
        seconds=format_seconds(progress.seconds),
    )
