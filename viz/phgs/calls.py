"""Statistical calls by purpose, of a partitioned run and of PC on the same data.

They are counted as in Huang and Zhou (2022), section 5.1: tests, local score differences, and for clusters the
evaluations of mutual information and entropy.
"""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from learners.families.phgs.partitioned import CallKind
from learners.registry import LEARNERS
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

from ..text import count

# Name and colour of each kind of call, and the pattern that distinguishes it from its neighbours without colour.
KINDS = {
    CallKind.PARTITION: ("every pair once", "#0072B2", ""),
    CallKind.WITHIN: ("within clusters", "#E69F00", "/"),
    CallKind.SCREENS: ("two screens between clusters", "#009E73", "."),
    CallKind.COMPLETION: ("completion", "#CC79A7", "\\"),
    CallKind.SOLUTION_PATH: ("scoring the solution path", "#56B4E9", "x"),
    CallKind.SEARCH: ("search by score", "#D55E00", "-"),
    CallKind.POLISH: ("polish by GES", "#F0E442", "|"),
    CallKind.NO_CONDITION: ("every pair once", "#0072B2", ""),
    CallKind.CONDITIONS: ("with conditions", "#999999", "+"),
}
PC = "PC-stable"
ROOM = 1.18  # length of the axis relative to the longest bar, which leaves space for its number


def calls_of_pc(result: LearnResult) -> dict[CallKind, int]:
    """Return the calls of PC: tests without and with a conditioning set."""
    trace = result.trace
    marginal = int(trace.n_tests[trace.in_phase(Phase(Stage.LEVEL, size=0))].sum())
    return {CallKind.NO_CONDITION: marginal, CallKind.CONDITIONS: result.n_tests - marginal}


def calls_figure(method: str, own: Mapping[CallKind, int], pc: Mapping[CallKind, int] | None) -> tuple[go.Figure, str]:
    """Draw the calls of a partitioned run as a stacked bar, with PC's below if known; return the figure and a text."""
    rows = {LEARNERS[method].label: dict(own)}
    if pc is not None:
        rows[PC] = dict(pc)
    most = max(sum(calls.values()) for calls in rows.values())
    figure = go.Figure()
    for kind, (words, hue, pattern) in KINDS.items():
        mine = {row: calls[kind] for row, calls in rows.items() if kind in calls}
        if not mine:
            continue
        figure.add_bar(
            x=list(mine.values()),
            y=list(mine),
            orientation="h",
            name=words,
            legendgroup=words,
            showlegend=kind is not CallKind.NO_CONDITION,
            marker={"color": hue, "line": {"color": "#808080", "width": 1}},
            marker_pattern_shape=pattern,
            hovertemplate="%{y}<br>" + words + "<br>%{x:,} calls<extra></extra>",
        )
    for row, calls in rows.items():
        figure.add_annotation(x=sum(calls.values()), y=row, text=f"{sum(calls.values()):,}", showarrow=False)
    figure.update_annotations(xanchor="left", xshift=6)
    figure.update_xaxes(title="statistical calls", range=[0, ROOM * most])
    figure.update_yaxes(type="category", autorange="reversed", automargin=True)
    figure.update_layout(
        barmode="stack",
        height=230 + 50 * len(rows),
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "y": -0.35, "yanchor": "top", "x": 0, "traceorder": "normal"},
    )
    return figure, "; ".join(f"{row}: {_listed(calls)}" for row, calls in rows.items())


def compared(method: str, calls: Mapping[CallKind, int], pc: Mapping[CallKind, int]) -> str:
    """Compare both totals without the final search, which PC lacks."""
    polish = calls.get(CallKind.POLISH, 0)
    own, other = sum(calls.values()) - polish, sum(pc.values())
    label, before = LEARNERS[method].label, " before its polish" if polish else ""
    lead = f"{label} made {own:,} calls{before}, {PC} {other:,}"
    if own == other:
        return f"{lead}: as many."
    share = abs(other - own) / max(other, 1)
    few = f"{share:.0%} {'fewer' if own < other else 'more'}"
    return f"{lead}: {few}." + ("" if own < other else " Clusters pay off where there are many variables.")


def same_question(result: LearnResult, other: LearnResult) -> bool:
    """Return True if `other` is PC with the test settings of `result`."""
    return other.method == "pc" and other.complete and dict(other.params) == settings_of_pc(result)


def settings_of_pc(result: LearnResult) -> dict:
    """Return PC's parameters as set in the run, except its check of v-structures."""
    wanted = {one.name: one.default for one in LEARNERS["pc"].parameters}
    own = {name: result.params[name] for name in wanted if name in result.params}
    return own | {"collider_check": wanted["collider_check"]}


def _listed(calls: Mapping[CallKind, int]) -> str:
    parts = ", ".join(f"{KINDS[kind][0]} {number:,}" for kind, number in calls.items())
    return f"{count(sum(calls.values()), 'call')} ({parts})"
