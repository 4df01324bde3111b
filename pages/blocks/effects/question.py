"""The question on the Effects page: graph, cause, effect and conditioning set, chosen in lists or by clicks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import phrase
from learners.effects.checks import representative_dag
from learners.effects.ida import open_directions
from learners.effects.instruments import with_hidden_cause
from learners.effects.undirected_paths import path_without_direction
from learners.graphs.graph import PDAG, ancestors
from pages.blocks.effects.roles import of_run
from pages.session import node_positions, state
from pages.session.state import Run
from pages.session.words import run_title, t
from viz.effects.picture import graph_with_roles, plain_graph, roles_of
from viz.graph_view import GraphViewData, graph_view
from viz.weak_evidence import determined_pairs, with_doubts


@dataclass(frozen=True)
class EffectQuestion:
    """A question about two variables.

    Attributes
    ----------
    run : Run or None
        None for a drawn graph.
    graph : PDAG
        The result, one DAG of its class, or the drawn DAG.
    asked : PDAG
        The same graph, with a hidden common cause of `x` and `y` if one is assumed.
    x, y : int
        Cause and effect.
    given : tuple of int
        Conditioning set.
    names : tuple of str
    latent : tuple of int
        Unmeasured variables of a drawn graph.
    positions : (p, 2) float array or None
        Positions of the nodes of a drawn graph.
    """

    run: Run | None
    graph: PDAG
    asked: PDAG
    x: int
    y: int
    given: tuple[int, ...]
    names: tuple[str, ...]
    latent: tuple[int, ...] = ()
    positions: np.ndarray | None = None

    @property
    def hidden(self) -> tuple[int, ...]:
        """Return the latent variables, with the node of the hidden cause if there is one."""
        return (*self.latent, *range(self.graph.p, self.asked.p))

    @property
    def undirected(self) -> frozenset[frozenset[int]]:
        """Return the pairs of variables that have no direction, because one determines the other."""
        return frozenset(() if self.run is None else determined_pairs([self.run.result], self.names))

    @property
    def path_without_direction(self) -> tuple[int, ...]:
        """Return a path from cause to effect through a pair without a direction; empty if there is none."""
        return path_without_direction(self.asked, self.x, self.y, self.undirected, self.hidden)

    @property
    def chosen_arrows(self) -> list[tuple[int, int]]:
        """Return the arrows that an effect in one DAG of a class rests on, although the class leaves them open."""
        if self.run is None or self.graph == self.run.result.graph:
            return []
        found = open_directions(self.run.result.graph, self.x, self.y)
        return [(i, j) if self.graph.mark(i, j) == "forward" else (j, i) for i, j in found]

    @property
    def key(self) -> str:
        """Return a part of widget keys that differs between questions."""
        of = "drawn" if self.run is None else str(self.run.number)
        return f"{of}_{self.x}_{self.y}_{self.asked.p}"


def graph_to_ask(run: Run) -> tuple[PDAG | None, str]:
    """Return the result or a DAG of its class; None and the reason if no question is possible."""
    if run.dataset.p < 2:
        return None, "a question needs two variables; this run has one"
    try:
        dag = state.made_once(run, "effects_member", None, lambda: representative_dag(run.result.graph))
    except LearnersError as error:
        return None, str(error)
    if run.result.graph.is_dag:
        return dag, ""
    one = st.toggle(
        t("Single DAG"), key="effects_one", persist_state="session",
        help=t("Off: answers hold for all DAGs that the result represents. On: for one of them."),
    )  # fmt: skip
    return (dag if one else run.result.graph), ""


def roles(run: Run, graph: PDAG, *, is_symmetric: bool, of_pair: bool = True) -> EffectQuestion:
    """Let the user choose the two variables and the conditioning set, after clicks in the picture are applied.

    `is_symmetric` is True if only their separation is asked, so that neither is called a cause. The lists are hidden
    unless the question is one `of_pair`.
    """
    asked = replace(of_run(run), is_symmetric=is_symmetric)
    asked.begin(*state.made_once(run, "effects_first", graph, lambda: _first_pair(graph)))
    if not of_pair:
        return EffectQuestion(run, graph, graph, *asked.chosen(), run.result.names)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        asked.ask()
        suppose = graph.is_dag and st.toggle(
            t("Hidden common cause"), key="effects_hidden", persist_state="session",
            help=t("Assumes an unmeasured variable that affects cause and effect."),
        )  # fmt: skip
    x, y, given = asked.chosen()
    supposed = with_hidden_cause(graph, x, y) if suppose else graph
    return EffectQuestion(run, graph, supposed, x, y, given, run.result.names)


def picture(question: EffectQuestion, data: GraphViewData) -> None:
    """Show the graph; a click gives a variable the chosen role."""
    run, kind = question.run, node_positions.arrangement(question.run)
    key = f"effects_graph_{run.dataset.fingerprint[:12]}_{kind}"
    name = f"{run.number} {question.x} {question.y} {question.given} {question.asked.p}"
    shown = graph_view(
        data | {"run": name, "title": run_title(run.title)},
        key=key,
        places=node_positions.moved(run, kind),
        language=state.language(),
        on_moved=partial(node_positions.keep_moved, run, kind),
    )
    if of_run(run).hear(shown.strokes):
        st.rerun()  # reruns the whole page, because a click may arrive during a full run


def plain_picture(
    question: EffectQuestion, more: Mapping[int, str] | None = None, *, is_symmetric: bool = False
) -> GraphViewData:
    """Return the graph with the roles of its variables; `more` are further roles, such as instruments."""
    roles = dict(more or {}) | dict.fromkeys(question.latent, "latent")
    roles |= roles_of(question.x, question.y, question.given, is_symmetric=is_symmetric)
    if question.run is None:
        return graph_with_roles(question.graph, question.names, question.positions, roles)
    kind = node_positions.arrangement(question.run)
    data = graph_with_roles(question.graph, question.names, node_positions.computed(question.run, kind), roles)
    data = with_doubts(data, question.run.result)
    if question.graph == question.run.result.graph:
        return data
    return data | {"directed": phrase("directed: in this DAG of the class")}


def without_roles(question: EffectQuestion) -> GraphViewData:
    """Return the graph of a run without roles, for answers on the whole graph."""
    kind = node_positions.arrangement(question.run)
    data = plain_graph(question.graph, question.names, node_positions.computed(question.run, kind))
    return with_doubts(data, question.run.result)


def _first_pair(graph: PDAG) -> tuple[int, int]:
    """Return two variables connected by a directed path but no edge, else two adjacent ones, else the first two."""
    reach = ancestors(graph)
    found = [*np.argwhere(reach & ~graph.skeleton).tolist(), *graph.directed_edges(), *graph.undirected_edges()]
    return next((tuple(pair) for pair in found if pair[0] != pair[1]), (0, 1))
