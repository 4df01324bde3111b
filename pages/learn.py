"""Learn: choose a learner, set its parameters, add background knowledge, and run it."""

import streamlit as st

from learners.registry import LEARNERS
from pages.blocks.learn import learner_form, recommendation, run_list
from pages.blocks.learn.suited_test import compared_tests
from pages.session import state
from pages.session.jobs import estimates, runner
from pages.session.words import counted, t, written
from viz.text import as_sentence, escape_markdown, format_span

st.title(t("Learn a graph"), anchor=False)
here = state.source()
if here is None or here.dataset is None:
    problem = here.problem if here else "There is no table yet."
    st.error(escape_markdown(written(as_sentence(problem))), icon=":material/block:")
    st.page_link("pages/data.py", label=t("Open the Data page"), icon=":material/table_chart:")
    st.stop()

choice, form = st.columns([2, 3], gap="medium")
with choice:
    best = recommendation.recommended(here)
    recommended = best[0]
    key = learner_form.chosen(here, recommended)
    learner_form.list_learners(here, key, best)
learner = LEARNERS[key]


def say_how_long() -> None:
    """Show the size of the run and its expected duration; LearnersError if the learner refuses the table."""
    low, high = estimates.expected_range(key, dataset, params)
    duration = t("usually {duration} once started", duration=written(format_span(low, high)))
    st.caption(
        f"{counted(dataset.n, 'row')} · {counted(dataset.p, 'variable')} · "
        f"{learner_form.least_work(learner, dataset)}{duration}",
        help=t("Tables with many dependences take more time."),
    )


with form, st.container(border=True, key=f"learn_chosen_{key}"):
    learner_form.head(learner, is_recommended=key == recommended)
    here = learner_form.for_this_run(here, learner)
    dataset = here.dataset
    main_action = st.container()  # drawn above the settings, filled after them
    recommendation.exact_instead(here, key)
    params = learner_form.parameters(learner, dataset)
    compared_tests(learner, dataset)
    knowledge = learner_form.knowledge(dataset)
with main_action:
    asked = (lambda: learner.checked(dataset.kind, params), say_how_long)
    refused = any(learner_form.refuses(learner, ask) for ask in asked)
    busy = bool(st.session_state.job)
    if st.button(
        t("Run learner"), type="primary", icon=":material/play_arrow:", key="learn_run", disabled=busy or refused
    ):
        runner.start(key, dataset, knowledge, params, here)
        st.rerun()
    runner.show_error()
    if st.session_state.job:
        runner.watch()
recommendation.tried(state.source())
run_list.runs_so_far()
