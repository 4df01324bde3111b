"""Which graph is asked, of which variables: chosen in lists or by clicking the graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from learners.common.errors import LearnersError
from learners.effects.checks import member
from learners.effects.instruments import with_hidden_cause
from learners.graphs.graph import PDAG, ancestors
from pages.session import arranging, by_hand, state
from pages.session.state import Run
from viz.effects.picture import Roles, graph_with_roles
from viz.graph_view import GraphViewData, graph_view
from viz.text import distinct_labels

CLICKS = {"cause": "Cause", "effect": "Effect", "given": "Held fixed"}
NARROW, WIDE = 165, 260  # pixels of a list


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    run : Run
    graph : PDAG
        The result, or one DAG of its class.
    asked : PDAG
        The same with a hidden cause of the two, if one is supposed.
    x, y : int
        Cause and effect.
    given : tuple of int
        What is held fixed.
    """

    run: Run
    graph: PDAG
    asked: PDAG
    x: int
    y: int
    given: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the variables."""
        return self.run.result.names

    @property
    def hidden(self) -> tuple[int, ...]:
        """The node of the hidden cause, if there is one."""
        return tuple(range(self.graph.p, self.asked.p))

    @property
    def roles(self) -> Roles:
        """What each variable is asked as."""
        return dict.fromkeys(self.given, "given") | {self.x: "cause", self.y: "effect"}


def graph_to_ask(run: Run) -> tuple[PDAG | None, str]:
    """The result, or a DAG of its class; None and why, if there is none."""
    if run.dataset.p < 2:
        return None, "a question needs two variables, this run has one"
    try:
        dag = state.made_once(run, "effects_member", None, lambda: member(run.result.graph))
    except LearnersError as error:
        return None, str(error)
    if run.result.graph.is_dag:
        return dag, ""
    one = st.toggle(
        "One DAG of the class", key="effects_one", persist_state="session",
        help="The result stands for several DAGs. Off: what holds in all of them. On: in one of them.",
    )  # fmt: skip
    return (dag if one else run.result.graph), ""


def roles(run: Run, graph: PDAG) -> Question:
    """Ask for cause, effect and what is held fixed; what was clicked in the picture is followed first."""
    keys = {role: f"effects_{role}_{run.dataset.fingerprint[:12]}" for role in CLICKS}
    x, y = state.made_once(run, "effects_first", graph, lambda: _first_pair(graph))
    for role, default in (("cause", x), ("effect", y), ("given", [])):
        st.session_state.setdefault(keys[role], default)
    _follow_clicks(keys)
    labels, all_of = distinct_labels(run.result.names), range(graph.p)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for role in ("cause", "effect"):
            st.selectbox(
                CLICKS[role], all_of, format_func=labels.__getitem__, key=keys[role], persist_state="session",
                width=NARROW,
            )  # fmt: skip
        st.multiselect(
            CLICKS["given"], all_of, format_func=labels.__getitem__, key=keys["given"], persist_state="session",
            placeholder="nothing", width=WIDE,
        )  # fmt: skip
        st.segmented_control(
            "A click in the graph sets", list(CLICKS), default="given", required=True, format_func=CLICKS.get,
            key="effects_click", persist_state="session",
        )  # fmt: skip
        suppose = graph.is_dag and st.toggle(
            "Suppose a hidden cause of both", key="effects_hidden", persist_state="session",
            help="As if a variable outside the table acted on cause and effect. It cannot be held fixed.",
        )  # fmt: skip
    x, y = st.session_state[keys["cause"]], st.session_state[keys["effect"]]
    if x == y:
        y = next(k for k in all_of if k != x)
        st.caption("Cause and effect must differ: another variable is asked about.")
    given = tuple(k for k in sorted(st.session_state[keys["given"]]) if k not in (x, y))
    return Question(run, graph, with_hidden_cause(graph, x, y) if suppose else graph, x, y, given)


def picture(question: Question, data: GraphViewData) -> None:
    """The graph; a click gives a variable the role that is chosen."""
    run, kind = question.run, arranging.chosen(question.run)
    key = f"effects_graph_{run.dataset.fingerprint[:12]}_{kind}"
    told = f"{run.number} {question.x} {question.y} {question.given} {question.asked.p}"
    shown = graph_view(data | {"run": told, "title": run.title}, key=key, places=by_hand.placed(run, kind))
    if shown.moved:
        by_hand.keep(run, kind, shown.positions)
    now = shown.selected if isinstance(shown.selected, tuple) else () if shown.selected is None else (shown.selected,)
    before = st.session_state.get("effects_seen", (key, ()))
    st.session_state.effects_seen = (key, now)
    if before[0] == key and now != before[1]:
        st.session_state.effects_clicked = clicked(before[1], now)
        st.rerun(scope="fragment")


def plain_picture(question: Question) -> GraphViewData:
    """The graph with the roles of its variables."""
    kind = arranging.chosen(question.run)
    data = graph_with_roles(question.graph, question.names, arranging.places(question.run, kind), question.roles)
    whole = question.graph == question.run.result.graph
    return data if whole else data | {"directed": "directed: so in this DAG of the class"}


def clicked(before: tuple[int, ...], now: tuple[int, ...]) -> tuple[int, ...]:
    """The variables just clicked: new in the selection, or gone from it where the same one was clicked again."""
    return tuple(k for k in now if k not in before) or (now if len(now) == 1 else before[-1:])


def _follow_clicks(keys: dict[str, str]) -> None:
    """Give what was clicked its role; both ends of an edge are cause and effect."""
    found = st.session_state.pop("effects_clicked", ())
    if len(found) == 2:
        st.session_state[keys["cause"]], st.session_state[keys["effect"]] = found
    elif found:
        role = st.session_state.get("effects_click", "given")
        if role == "given":
            held = st.session_state[keys["given"]]
            st.session_state[keys["given"]] = (
                [k for k in held if k != found[0]] if found[0] in held else [*held, *found]
            )
        else:
            st.session_state[keys[role]] = found[0]


def _first_pair(graph: PDAG) -> tuple[int, int]:
    """Two variables that arrows join over others, or else by themselves, else the first two."""
    reach = ancestors(graph)
    found = [*np.argwhere(reach & ~graph.skeleton).tolist(), *graph.directed_edges(), *graph.undirected_edges()]
    return next((tuple(pair) for pair in found if pair[0] != pair[1]), (0, 1))
