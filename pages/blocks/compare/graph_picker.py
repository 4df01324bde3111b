"""Pick the graphs to compare, or learn several on one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count
from learners.data.dataset import Dataset
from learners.evaluation import comparison as side_by_side
from learners.graphs.graph import PDAG
from learners.registry import LEARNERS
from pages.blocks import table_mismatch
from pages.session import node_positions, shared_link, state
from pages.session.initial_value import initial
from pages.session.jobs import runner
from pages.session.serialize import Order
from pages.session.state import Moment
from pages.session.words import labels_of, run_title, t
from viz.text import distinct_labels, escape_markdown

MAX_GRAPHS, MIN_GRAPHS = 4, 2
N_LEARNERS = 3  # number of learners selected without a recommendation
LETTERS = "ABCD"


@dataclass(frozen=True)
class Shared:
    """Graphs restricted to their common variables, by letter."""

    moments: dict[str, Moment]
    graphs: dict[str, PDAG]
    names: tuple[str, ...]
    positions: np.ndarray
    truth: PDAG | None


def run_several() -> None:
    """Run several learners in turn on the table in use."""
    here = state.source()
    if here is None or here.dataset is None or shared_link.hides_table():
        return
    able = [key for key, learner in LEARNERS.items() if here.dataset.kind in learner.kinds]
    too_few = len(_by_default(state.moments())) < MIN_GRAPHS
    if st.session_state.get("compare_learners_for") != here.dataset.fingerprint:  # the recommended ones for each table
        st.session_state.update(compare_learners_for=here.dataset.fingerprint, compare_learners=_best(here.dataset))
    with st.expander(t("Run several learners"), expanded=too_few, key=f"compare_run_fold_{too_few}"):
        keys = st.multiselect(
            t("Learners"), able, help=t("Each runs with its default settings."),
            format_func=labels_of({key: LEARNERS[key].label for key in able}), key="compare_learners",
            persist_state="session", placeholder=t("none"),
        )  # fmt: skip
        share = st.slider(
            t("Held-out rows"), 0, 50, 0, 5, format="%d%%", key="compare_aside", persist_state="session",
            help=t("Graphs are also scored on these rows, which no learner uses."),
        )  # fmt: skip
        if st.button(
            t("Run {learners}", learners=Count(len(keys), "learner")),
            type="primary",
            icon=":material/play_arrow:",
            key="compare_run",
            disabled=not keys or bool(st.session_state.job),
        ):
            dataset, aside = side_by_side.held_out(here.dataset, share / 100, seed=0) if share else (here.dataset, None)
            runner.start_all([Order(key, dataset, None, {}, here, aside) for key in keys])
            st.session_state.compare_follow = len(keys)
            st.rerun()


def _best(dataset: Dataset) -> list[str]:
    """Return the learners that Learn recommends for a table; if there is none, those that accept it."""
    try:
        return runner.best_learners(runner.recommended(dataset))
    except LearnersError:
        return [key for key, learner in LEARNERS.items() if learner.refusal(dataset) is None][:N_LEARNERS]


def pick_moments(moments: Sequence[Moment]) -> list[Moment]:
    """Return two to four graphs picked by the user; by default the newest and the newest comparable to it."""
    if len(moments) < MIN_GRAPHS:
        st.info(
            t("A comparison needs two graphs. Run another learner above, or pin a graph on Inspect."),
            icon=":material/compare_arrows:",
        )
        st.page_link("pages/inspect.py", label=t("Open Inspect"), icon=":material/hub:")
        return []
    labels = distinct_labels([run_title(moment.label) for moment in moments], 80)
    default = [labels[k] for k in _by_default(moments)]
    _follow(labels)
    known = st.session_state.get("compare_moments")
    if known is not None:
        still = [label for label in known if label in labels]
        # If fewer than two of the picked graphs remain and the choices have changed, restore the default.
        waited = len(still) < MIN_GRAPHS and st.session_state.get("compare_among") != labels
        st.session_state.compare_moments = default if waited else still
    st.session_state.compare_among = labels
    picked = st.multiselect(
        t("Graphs"), labels, initial("compare_moments", default), max_selections=MAX_GRAPHS, key="compare_moments",
        persist_state="session", placeholder=t("none"),
        help=t("{low} to {high} results or pinned graphs.", low=MIN_GRAPHS, high=MAX_GRAPHS),
    )  # fmt: skip
    if len(picked) < MIN_GRAPHS:
        alone = len(default) < MIN_GRAPHS and picked == default
        if not alone:
            st.caption(t("Choose at least two graphs."))
        elif any(table_mismatch.of_another_table(moments[labels.index(label)].run) for label in picked):
            st.caption(t("There is no other graph of these variables. Use its table, then run another learner above."))
        else:
            st.caption(t("There is no other graph of these variables. Run another learner above."))
    return [moments[labels.index(label)] for label in picked]


def _by_default(moments: Sequence[Moment]) -> list[int]:
    """Return the positions of the newest graph and of the newest other graph that shares two variables with it."""
    names = [moment.run.result.names for moment in moments]
    for k in reversed(range(len(moments) - 1)):
        if len(side_by_side.shared_names([names[-1], names[k]])) >= 2:
            return [k, len(moments) - 1]
    return [len(moments) - 1] if moments else []


def _follow(labels: Sequence[str]) -> None:
    """Pick the graphs of runs that were started together, once all have ended."""
    if st.session_state.get("compare_follow") and st.session_state.job is None:
        n_runs, n_new = len(st.session_state.runs), st.session_state.pop("compare_follow")
        new = labels[max(0, n_runs - n_new) : n_runs]
        if len(new) >= MIN_GRAPHS:
            st.session_state.compare_moments = new[-MAX_GRAPHS:]


def over_shared_variables(moments: Sequence[Moment]) -> Shared | None:
    """Restrict the graphs to their common variables and report those left out; None if there are fewer than two."""
    all_names = [moment.run.result.names for moment in moments]
    names = side_by_side.shared_names(all_names)
    if len(names) < 2:
        st.warning(t("These graphs share fewer than two variables. Choose others."))
        return None
    left_out = len(set().union(*all_names)) - len(names)
    if left_out:
        st.info(
            t(
                "The comparison covers the {variables} that all graphs share; {others} ignored. Paths through "
                "them are missing.",
                variables=Count(len(names), "variable"),
                others=Count(left_out, "other is", "others are"),
            ),
            icon=":material/filter_alt:",
        )
    letters = dict(zip(LETTERS, moments, strict=False))
    st.markdown(
        "  \n".join(f"**{letter}**: {escape_markdown(run_title(one.label))}" for letter, one in letters.items())
    )
    first = moments[0].run
    order = [first.result.names.index(name) for name in names]
    return Shared(
        letters,
        {key: side_by_side.subgraph(moment.graph, moment.run.result.names, names) for key, moment in letters.items()},
        names,
        node_positions.computed(first, node_positions.arrangement(first))[order],
        next((truth for moment in moments if (truth := moment.run.source.truth_over(names)) is not None), None),
    )
