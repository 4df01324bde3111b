"""Picture of the network with bars and curves, in which clicks and drags enter evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from learners.networks.inference.answers import Beliefs
from learners.networks.inference.evidence import checked_evidence
from pages.blocks.query import evidence
from pages.blocks.query.evidence import AnswerUncertainty
from pages.blocks.query.network_source import Asked
from pages.session.words import t, written
from viz.bundle import bundle
from viz.query import picture as drawing
from viz.query.texts import below_zero, below_zero_sentence, scales_sentence, whisker_sentence
from viz.text import as_sentence, escape_markdown, shorten
from viz.weak_evidence import determined_pairs, doubtful

HOLLOW = "Hollow heads: direction open or doubtful."
MAX_CASE = 80  # maximum number of characters of the pinned case
MAX_SHOWN = 60  # maximum number of variables drawn
FOLDER = drawing.FOLDER
_component = st.components.v2.component(
    "edgewise_query",
    css=(FOLDER / "query.css").read_text(encoding="utf-8"),
    js=bundle(FOLDER / "query.js"),
)


def show(
    asked: Asked, network: Any, now: Beliefs, before: Beliefs, held: Beliefs | None, left_open: AnswerUncertainty
) -> None:
    """Draw the picture, with ranges over a class in place of single numbers, and apply its clicks and drags."""
    shown = _shown(network.names)
    results = [] if asked.run is None else [asked.run.result]
    determined = determined_pairs(results, network.names).keys()
    unsure = _unsure(asked, network)
    data = drawing.picture(
        network,
        asked.positions,
        shown,
        now,
        before,
        held,
        asked.scales,
        determined,
        left_open.ranges,
        unsure,
        left_open.intervals,
    )
    data["interval"] = t("95% interval")
    checked = checked_evidence(network.names, network.states, evidence.known(), evidence.likely())
    done = checked_evidence(network.names, network.states, evidence.done()).known

    def said() -> None:
        clicked = (st.session_state.get("query_picture") or {}).get("said")
        if clicked:
            j, value = int(clicked[0]), clicked[1]
            levels = network.states[j]
            evidence.say(network.names[j], value if value is None or not levels else levels[int(value)])

    _component(key="query_picture", data=drawing.marked(data, checked, done, asked.scales), on_said_change=said)
    said = [t(_hint(network.states[j] for j in shown)), _pinned(asked, held)]
    if unsure:
        said.insert(1, t(HOLLOW))
    said.append(_whiskers(asked, network, left_open))
    if asked.run is not None and (negative := below_zero(before, asked.run.dataset, asked.scales)):
        said.append(escape_markdown(written(below_zero_sentence(negative))))
    said.append(escape_markdown(written(scales_sentence([network.names[j] for j in shown], asked.scales))))
    st.caption(" ".join(part for part in said if part))


def _whiskers(asked: Asked, network: Any, left_open: AnswerUncertainty) -> str:
    """Return what the whiskers show, or why a fitted network has none."""
    if left_open.reason:
        return escape_markdown(written(as_sentence(left_open.reason)))
    if left_open.intervals is None or asked.run is None:
        return ""
    edited = network.fitted.nodes.count(None) > len(evidence.done())
    return escape_markdown(written(whisker_sentence(edited=edited)))


def _unsure(asked: Asked, network: Any) -> set[tuple[int, int]]:
    """Return the arrows of the fitted DAG whose direction is open in the class, or uncertain on Inspect."""
    if asked.run is None:
        return set()
    result = asked.run.result
    return {
        (i, j)
        for i, j in network.dag.directed_edges()
        if result.graph.mark(i, j) == "undirected" or doubtful(result, i, j)
    }


def _pinned(asked: Asked, held: Beliefs | None) -> str:
    """Return what the marks in the picture stand for; empty if no case is pinned."""
    if held is None:
        return ""
    case = escape_markdown(shorten(evidence.pinned_text(asked.scales), MAX_CASE))
    return t("Marks and dashed lines show the pinned case: {case}.", case=case)


def _hint(states: Iterable[Sequence[str]]) -> str:
    """Return how evidence is entered in the picture, for the types of variables that it shows."""
    kinds = {bool(levels) for levels in states}
    if len(kinds) == 2:
        return "Click a level or drag the slider of a number to add or remove evidence."
    return "Click a level to add or remove evidence." if kinds == {True} else "Drag a slider to add or remove evidence."


def _shown(names: Sequence[str]) -> list[int]:
    """Return the positions of the variables to draw: all, or the chosen ones of a large network."""
    if len(names) <= MAX_SHOWN:
        return list(range(len(names)))
    chosen = st.multiselect(
        t("Variables shown, of {names}", names=len(names)),
        names,
        list(names[:20]),
        key="query_shown",
        max_selections=MAX_SHOWN,
        placeholder=t("none"),
    )
    return [k for k, name in enumerate(names) if name in chosen]
