"""Directions of undirected edges that the shape of the noise suggests."""

from __future__ import annotations

import streamlit as st

from learners.verdict.noise_directions import NoiseDirections, directions_by_noise
from pages.blocks.inspect.measures import assumptions_of
from pages.session import shared_link, state
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.noise import residual_plots
from viz.text import as_sentence, escape_markdown


def directions_of(run: Run) -> NoiseDirections:
    """Return the directions that the noise suggests, computed once for each run."""
    return state.made_once(
        run, "noise", None, lambda: directions_by_noise(run.result, run.dataset, assumptions=assumptions_of(run))
    )


def of_pair(run: Run, x: int, y: int) -> None:
    """Show the direction that the noise suggests for an undirected edge, with the residuals of both directions."""
    amat = run.result.graph.amat
    if shared_link.hides_table() or not (amat[x, y] and amat[y, x]):
        return
    found = directions_of(run)
    edge = found.of_pair(x, y)
    if edge is None:
        return
    st.markdown(escape_markdown(written(as_sentence(found.sentence(edge)))))
    figure, caption = state.made_once(run, "noise_figure", (x, y), lambda: residual_plots(run.dataset, edge))
    with st.expander(t("Noise of both directions"), key="why_noise_fold"):
        st.plotly_chart(worded(figure), key="why_noise", alt=written(caption))
        st.caption(escape_markdown(written(caption)))
