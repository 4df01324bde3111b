"""Slider modes: the DAGs of the equivalence class, and edges directed or reversed by hand."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.edge_reversal import Reversal, direct_edge, reverse_edge
from learners.graphs.equivalence_class import first_dags
from learners.graphs.graph import PDAG
from pages.blocks.slider import SliderMode, step_aside
from pages.session import node_positions, state
from pages.session.state import Run
from viz.equivalence_class import max_members, members_view, turns_view
from viz.graph_view import GraphViewData
from viz.kinds import kind_of
from viz.text import shorten

MAX_NAMED = 2  # maximum number of edges named in the label of a pinned graph


@dataclass(frozen=True)
class Tried:
    """A graph edited by hand: the initial graph and each move."""

    start: PDAG
    moves: tuple[Reversal, ...] = ()

    @property
    def graphs(self) -> list[PDAG]:
        """Return the start and the graph after each move."""
        return [self.start, *(move.graph for move in self.moves)]


def stands_for_several(run: Run) -> bool:
    """Return True if the result represents several DAGs."""
    graph = run.result.graph
    return state.made_once(
        run, "stands_for_several", None,
        lambda: run.result.complete and not kind_of(run.result).leaves_open(run.result)
        and bool(graph.undirected_edges()) and consistent_extension(graph).valid,
    )  # fmt: skip


def members(run: Run) -> tuple[list[PDAG], str]:
    """Return the first DAGs of the class, and their number as text."""
    most = max_members(len(run.result.names))
    return state.made_once(run, "members", most, lambda: _listed(run.result.graph, most))


def _listed(graph: PDAG, most: int) -> tuple[list[PDAG], str]:
    found = first_dags(graph, most + 1)
    return found[:most], f"{len(found):,}" if len(
        found
    ) <= most else f"more than {most:,}, of which {most:,} are listed"


def tried(run: Run) -> Tried:
    """Return the graph edited by hand in this run."""
    known = st.session_state.get("tried")
    return known[1] if known and known[0] == run.number else Tried(run.result.graph)


def turn(run: Run, graph: PDAG, i: int, j: int) -> None:
    """Direct i - j as i -> j in the graph on screen, or reverse j -> i of a DAG."""
    before = tried(run)
    if graph != before.graphs[-1]:
        before = Tried(graph)
    move = direct_edge(graph, i, j) if graph.mark(i, j) == "undirected" else reverse_edge(graph, j, i, run.result.graph)
    if move is not None:
        _keep(run, Tried(before.start, (*before.moves, move)))


def undo(run: Run) -> None:
    """Revert the last move."""
    before = tried(run)
    _keep(run, Tried(before.start, before.moves[:-1]))


def start_again(run: Run) -> None:
    """Return to the graph of the result."""
    _keep(run, Tried(run.result.graph))


def _keep(run: Run, now: Tried) -> None:
    st.session_state.tried = (run.number, now)
    step_aside(run, "hand")


def _member(run: Run) -> PDAG:
    found, step = members(run)[0], st.session_state.step
    return found[0 if step is None else max(0, min(step - 1, len(found) - 1))]


def _members_picture(run: Run, arrangement: str) -> GraphViewData:
    return state.made_once(run, f"{arrangement}_class", None, lambda: _members_drawn(run, arrangement))


def _members_drawn(run: Run, arrangement: str) -> GraphViewData:
    places, result = node_positions.computed(run, arrangement), run.result
    return members_view(*members(run), result.graph, result.names, places) | {"run": f"{run.number} class"}


def _tried_graph(run: Run) -> PDAG:
    graphs, step = tried(run).graphs, st.session_state.step
    return graphs[-1 if step is None else max(0, min(step, len(graphs) - 1))]


def _tried_picture(run: Run, arrangement: str) -> GraphViewData:
    now, result = tried(run), run.result
    data = turns_view(now.start, now.moves, result.graph, result.names, node_positions.computed(run, arrangement))
    return data | {"run": f"{run.number} by hand {len(now.moves)}"}


def _member_called(_run: Run) -> str:
    return f"DAG {st.session_state.step or 1:,} of its class"


def _tried_called(run: Run) -> str:
    step, names = st.session_state.step, run.result.names
    edges = [move.edge for move in tried(run).moves[:step]]
    if not edges:
        return "no edge directed by hand"
    arrows = ", ".join(f"{shorten(names[i])} → {shorten(names[j])}" for i, j in edges[:MAX_NAMED])
    more = f" and {len(edges) - MAX_NAMED:,} more" if len(edges) > MAX_NAMED else ""
    return f"{arrows}{more} directed by hand"


MEMBERS = SliderMode(_member, _members_picture, where=_member_called, held=lambda run, _graph: run.result.graph)
BY_HAND = SliderMode(_tried_graph, _tried_picture, where=_tried_called, held=lambda run, _graph: run.result.graph)
