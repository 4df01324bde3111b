"""Learn: pick an algorithm, set its parameters, say what you know, run."""

import streamlit as st

from learners.registry import LEARNERS
from pages.blocks.learn import choosing, forms, runs
from pages.session import jobs, state
from viz.text import LONGEST_TITLE, count, escape_markdown, format_span, shorten

st.title("Learn a graph", anchor=False)
here = state.source()
if here is None or here.dataset is None:
    problem = here.problem if here else "there is no table yet"
    st.error(escape_markdown(problem[0].upper() + problem[1:] + "."), icon=":material/block:")
    st.page_link("pages/data.py", label="Fix it on the Data page", icon=":material/table_chart:")
    st.stop()

choosing.recommended(here)
key = forms.pick_learner(here)
learner = LEARNERS[key]
here = forms.for_this_run(here, learner)
dataset = here.dataset


def say_how_long() -> None:
    """What the run is of, and what it may take; a LearnersError if the table has too many levels for it."""
    low, high = jobs.expected(key, dataset, params)
    title = escape_markdown(shorten(here.title, LONGEST_TITLE))
    st.caption(
        f"{title}, {count(dataset.n, 'row')}, {count(dataset.p, 'variable')}: {forms.least_work(learner, dataset)}"
        f"{format_span(low, high)}; where variables are densely connected it can take longer."
    )


left, right = st.columns([3, 2], gap="large")
with left:
    choosing.exact_instead(here, key)
    knowledge = forms.knowledge(dataset)
    params = forms.parameters(learner, dataset)
    asked = (lambda: learner.checked(dataset.kind, params), say_how_long)
    refused = any(forms.refuses(learner, ask) for ask in asked)
    busy = bool(st.session_state.job)
    if st.button("Run", type="primary", icon=":material/play_arrow:", key="learn_run", disabled=busy or refused):
        jobs.start(key, dataset, knowledge, params, here)
        st.rerun()
    jobs.show_error()
    if st.session_state.job:
        jobs.watch()
with right:
    runs.runs_so_far()
