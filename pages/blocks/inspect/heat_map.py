"""Heat map of a sweep over two parameters; a click opens the run at a pair of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from learners.settings.parameter import Parameter
from pages.blocks.inspect import sweep_progress
from pages.blocks.inspect.selection import number_clicked
from pages.session import revisions, sweep_axes, sweeps
from pages.session.state import Run
from pages.session.words import labels_of, t, worded, written
from viz.sweeping.heat import heat_figure
from viz.sweeping.strip import CURVES, Axis

KEY = "heat"
LEGEND = (
    "The star is the best value, the ring the run on screen. Click a square to show its run; squares are missing where "
    "no DAG has the arrows of the graph."
)


@dataclass
class Heat:
    """The sweep of two parameters."""

    strip: sweeps.Strip
    first: Axis
    second: Axis

    def holds(self, run: Run) -> bool:
        """Return True if a run differs from the swept run in these two parameters only."""
        others = [
            {
                name: value
                for name, value in other_run.result.params.items()
                if name not in (self.first.name, self.second.name)
            }
            for other_run in (self.strip.run, run)
        ]
        same = (self.strip.run.number, self.strip.run.knowledge) == (run.number, run.knowledge)
        return same and others[0] == others[1]

    def position(self, run: Run) -> int | None:
        """Return the position of a run; None if it lies between the values."""
        pair = tuple(run.result.params[one.name] for one in (self.first, self.second))
        pairs = self.strip.axis.values
        return pairs.index(pair) if pair in pairs else None


def offer(run: Run, first: Parameter, parameters: Mapping[str, Parameter]) -> None:
    """Let the user choose a second parameter in addition to the swept one."""
    others = {name: parameter.label for name, parameter in parameters.items() if name != first.name}
    if not others:
        return
    key = f"heat_second_{run.number}_{first.name}"

    def changed() -> None:
        close()
        if chosen := st.session_state[key]:
            swept, *both = sweep_axes.of_two(run, first, parameters[chosen])
            st.session_state[KEY] = Heat(sweeps.begin(run, swept), *both)

    st.selectbox(
        t("Second parameter"), list(others), index=None, format_func=labels_of(others), key=key, on_change=changed,
        placeholder=t("Second parameter (heat map)"), width=240, label_visibility="collapsed",
    )  # fmt: skip


def close() -> None:
    """Close the heat map and cancel its job."""
    heat: Heat | None = st.session_state.pop(KEY, None)
    if heat is not None and heat.strip.job is not None:
        heat.strip.job.cancel()


def show(run: Run) -> None:
    """Show the heat map of the chosen measure below the graph."""
    heat: Heat | None = st.session_state.get(KEY)
    if heat is None or not heat.holds(run):
        close()
        return
    heat.strip.note_drawn()
    with st.container(border=True, key="heat_map"):
        curves = {curve.name: curve for curve in heat.strip.curves()}
        with st.container(horizontal=True, vertical_alignment="center"):
            chosen = st.segmented_control(
                t("Number"),
                list(curves),
                default="score",
                required=True,
                format_func=labels_of(CURVES),
                key="heat_curve",
                label_visibility="collapsed",
            )
            st.button(t("Close map"), key="heat_close", icon=":material/close:", on_click=close)
            sweep_progress.watch(heat.strip, lambda: st.session_state.get(KEY) is heat, "heat_cancel")
        figure, description = heat_figure(curves[chosen], heat.first, heat.second, heat.position(run))
        key = f"heat_map_{chosen}_{heat.position(run)}"
        st.plotly_chart(
            worded(figure), key=key, alt=written(description), on_select=lambda: _go(run, heat, number_clicked(key)),
            selection_mode="points", config={"displayModeBar": False},
        )  # fmt: skip
        st.caption(t(LEGEND))
        _by_keyboard(run, heat)


def _by_keyboard(run: Run, heat: Heat) -> None:
    """Let the user choose the two values in select boxes."""
    width = len(heat.second.texts)
    here = heat.position(run) or 0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = [
            st.selectbox(
                t(axis.label), range(len(axis.texts)), index, format_func=axis.texts.__getitem__,
                key=f"heat_{name}_{run.number}_{here}", width=220,
            )
            for name, axis, index in (("a", heat.first, here // width), ("b", heat.second, here % width))
        ]  # fmt: skip
        position = chosen[0] * width + chosen[1]
        st.button(
            t("Apply values"), key="heat_go", icon=":material/arrow_forward:", on_click=_go, args=(run, heat, position),
            disabled=heat.strip.graphs[position] is None or position == heat.position(run),
        )  # fmt: skip


def _go(run: Run, heat: Heat, position: int | None) -> None:
    """Replace the run on screen by that of a square; Undo reverts it."""
    if position is None or heat.strip.graphs[position] is None or position == heat.position(run):
        return
    result, _ = heat.strip.at(position)
    revisions.take(run, result, revisions.settings_changed(run, result.params), run.knowledge)
