"""The tree of graphs as an icicle chart: each call above the refinements of its groups on each resample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from learners.families.brai.error_rates import independence_levels
from learners.families.brai.tree import GenerativeTree
from learners.results.result import LearnResult

from ..figures import ORANGE, plain
from ..phgs.words import format_score
from ..text import count, format_number, format_probability, format_set

MAX_DRAWN = 2_500  # maximum number of items; deeper levels are omitted with a note
MAX_NAMED = 6  # maximum number of variables in a hover text
FAR = 30.0  # difference of ln P from the best graph at which the colour is palest
ROW = 46  # height of a level in pixels
MAX_ROWS = 500
DOF = (1, 4, 9, 36)  # degrees of freedom of pairs with two, three, four and seven levels each


@dataclass(frozen=True)
class Box:
    """A drawn item: start and width as shares of the chart, group, and resample."""

    item: int
    begin: float
    width: float
    group: int
    groups: int
    resample: int


def boxes(tree: GenerativeTree, root: int = 0) -> tuple[list[Box], bool]:
    """Return the items below `root`, level by level, and True if none was omitted.

    The width is divided among groups by their size, and equally among resamples.
    """
    found = [Box(root, 0.0, 1.0, 0, 1, 0)]
    at = 0
    level = [found[0]]
    while level:
        below: list[Box] = []
        for box in level:
            below += _children(tree, box)
        if len(found) + len(below) > MAX_DRAWN and at:
            return found, False
        found += below
        level, at = below, at + 1
    return found, True


def _children(tree: GenerativeTree, box: Box) -> list[Box]:
    slots = tree.slots(box.item)
    firsts = [tree.children(slot)[0] for slot in slots]
    sizes = np.array([tree.node_begin[k + 1] - tree.node_begin[k] for k in firsts], dtype=float)
    begin, found = box.begin, []
    for group, (slot, size) in enumerate(zip(slots, sizes, strict=True)):
        children = tree.children(slot)
        share = box.width * size / sizes.sum() / len(children)
        for t, child in enumerate(children):
            found.append(Box(child, begin, share, group, len(slots), t))
            begin += share
    return found


def icicle(
    tree: GenerativeTree, names: Sequence[str], best_by_item: np.ndarray, root: int = 0, chosen: int | None = None
) -> tuple[go.Figure, str]:
    """Draw the tree below `root` with clickable boxes; return the figure and a text.

    Parameters
    ----------
    tree : GenerativeTree
    names : sequence of str
    best_by_item : (m,) float64 array
        As `GenerativeTree.best_by_item`.
    root : int
    chosen : int, optional
        A leaf that is marked.
    """
    drawn, whole = boxes(tree, root)
    items = np.array([box.item for box in drawn])
    behind = best_by_item[items] - best_by_item[0]
    levels = tree.level[items]
    outlined = behind > -1e-9
    figure = go.Figure(
        go.Bar(
            x=[box.width for box in drawn], base=[box.begin for box in drawn], y=levels, orientation="h", width=0.9,
            marker={
                "color": np.maximum(behind, -FAR), "cmin": -FAR, "cmax": 0.0,
                "colorscale": [[0.0, "#deebf7"], [1.0, "#08519c"]],
                "line": {"color": np.where(items == chosen, "#CC79A7", np.where(outlined, ORANGE, "#808080")),
                         "width": np.where(items == chosen, 4.0, np.where(outlined, 2.5, 0.6))},
                "colorbar": {"title": {"text": "ln P of its best graph,<br>less that of the best", "side": "right"},
                             "thickness": 12},
            },
            customdata=items.tolist(), hovertext=[_words(tree, names, box, best_by_item) for box in drawn],
            hovertemplate="%{hovertext}<extra></extra>", showlegend=False,
        )
    )  # fmt: skip
    deepest = int(levels.max())
    figure.update_xaxes(visible=False, range=[-0.002, 1.002])
    ticks = list(range(int(levels.min()), deepest + 1))
    figure.update_yaxes(
        autorange="reversed", tickvals=ticks, ticktext=[f"level {level}" for level in ticks], showgrid=False
    )
    figure.update_layout(
        height=90 + ROW * len(ticks), margin={"l": 10, "r": 10, "t": 10, "b": 10}, clickmode="event+select", bargap=0.1
    )
    cut = "" if whole else f"; the levels below {deepest} are too many to draw at once"
    return figure, f"Tree of {count(len(drawn), 'box', 'boxes')} in {count(len(ticks), 'level')}{cut}"


def _words(tree: GenerativeTree, names: Sequence[str], box: Box, best_by_item: np.ndarray) -> str:
    item = box.item
    nodes = tree.nodes[tree.node_begin[item] : tree.node_begin[item + 1]].tolist()
    shown = plain(format_set(nodes[:MAX_NAMED], names).strip("{}"), 160)
    more = f" and {len(nodes) - MAX_NAMED:,} more" if len(nodes) > MAX_NAMED else ""
    leaf = not tree.slots(item)
    what = "leaf, not refined further" if leaf else f"refined by tests given {count(int(tree.level[item]), 'variable')}"
    where = f"group {box.group + 1} of {box.groups}, resample {box.resample + 1}<br>" if item else ""
    behind = format_number(float(best_by_item[0] - best_by_item[item]))
    score = "its best graph is the best of all" if behind == "0" else f"its best graph: ln P {behind} below the best"
    return f"{where}{count(len(nodes), 'variable')}: {shown}{more}<br>{what}<br>{score}"


def leaf_table(tree: GenerativeTree, names: Sequence[str], best_by_item: np.ndarray) -> pd.DataFrame:
    """Return a row for each leaf, those on the best graphs first; its number as ``item``."""
    leaves = tree.leaves[np.argsort(-best_by_item[tree.leaves], kind="stable")][:MAX_ROWS]
    rows = [
        {
            "leaf": item,
            "level": int(tree.level[item]),
            "variables": format_set(tree.leaf(item).nodes.tolist(), names).strip("{}"),
            "score of the leaf": format_score(float(tree.scores[item])),
            "behind the best": format_number(float(best_by_item[0] - best_by_item[item])),
            "item": item,
        }
        for item in leaves.tolist()
    ]
    return pd.DataFrame(rows)


def level_words(result: LearnResult, n: int) -> str:
    """State the share of independent pairs that a test declares dependent, on the data and on resamples."""
    on_data, on_resample = independence_levels(result.params, n, DOF)
    parts = [
        f"{', '.join(map(format_probability, levels.round(4).tolist()))} on {where}"
        for levels, where in ((on_data, "the data"), (on_resample, "a resample"))
    ]
    degrees = f"{', '.join(map(str, DOF[:-1]))} and {DOF[-1]} degrees of freedom"
    return f"False positives of a test with {degrees}: {', '.join(parts)}."
