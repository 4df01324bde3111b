"""The dendrogram of the clustering, with its cut and the final clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from scipy.cluster.hierarchy import dendrogram

from learners.common.wording import format_setting
from learners.families.phgs.clustering import Partition, labels_at, large_by_cut

from ..cluster_marks import colour, ink, mark
from ..figures import BLUE, ORANGE, plain
from ..text import count

MAX_LEAVES = 150  # maximum number of variables drawn one by one
TOP_BRANCHES = 60  # number of branches drawn of a larger tree
MAX_NAMED = 8  # maximum number of variables named in a hover text
ROW, AROUND = 18, 110  # pixels: height of a leaf, and of everything else
MEASURES = {
    "categorical": "mutual information ÷ joint entropy",
    "continuous": "the size of the correlation",
    "mixed": "the size of the correlation, for categories that of their indicators",
}
GREY = "#808080"  # colour of the branches above the cut
TICKS = (1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
MIN_SHARED = 1e-6  # minimum similarity on the logarithmic axis


@dataclass(frozen=True)
class _Merge:
    """A drawn merge: rows and starts of its two branches, its share, and its leaves."""

    rows: tuple[float, float]
    begins: tuple[float, float]
    shared: float
    members: np.ndarray


def dendrogram_figure(partition: Partition, names: Sequence[str]) -> tuple[go.Figure, str]:
    """Draw the dendrogram with its leaves on the left; return the figure and a text.

    The axis shows the mean similarity of the merged groups, 1 - distance, on a logarithmic scale. With more
    than `MAX_LEAVES` variables only the last merges are drawn.
    """
    drawn = _drawn(partition)
    merges, leaves = _merges(partition, drawn), _leaves(partition, drawn)
    cut, shares = _cut(partition), [merge.shared for merge in merges]
    low = min(*shares, cut) / 2
    # If the lower part of the tree is omitted, the axis begins at the remaining part.
    high = min(1.0, 2 * max(shares)) if is_collapsed(partition) else 1.0
    figure = go.Figure()
    _draw_branches(figure, merges, partition, cut, high)
    _draw_joints(figure, merges, names)
    _draw_leaves(figure, leaves, partition, names, high)
    figure.add_vline(x=cut, line={"color": ORANGE, "dash": "dash", "width": 2})
    cutting = f"cut: {count(partition.n_cut, 'group')}"
    right = np.log(cut / high) < 0.6 * np.log(low / high)
    side = {"xanchor": "right", "xshift": -6} if right else {"xanchor": "left", "xshift": 6}
    figure.add_annotation(x=np.log10(cut), y=-1.1, text=cutting, showarrow=False, **side)
    figure.update_xaxes(type="log", range=[np.log10(1.3 * high), np.log10(low)], title="similarity, on average")
    ticks = [tick for tick in TICKS if low <= tick <= high]
    figure.update_xaxes(tickvals=ticks, ticktext=[format_setting(tick) for tick in ticks], tickangle=0)
    figure.update_yaxes(range=[len(leaves) - 0.4, -1.8], showgrid=False, zeroline=False, automargin=True)
    figure.update_yaxes(
        tickvals=list(range(len(leaves))),
        ticktext=[_tick(members, partition.labels, names) for members in leaves],
        tickfont_size=11,
    )
    figure.update_layout(
        height=AROUND + ROW * len(leaves), margin={"l": 10, "r": 10, "t": 30, "b": 10}, showlegend=False
    )
    alt = (
        f"Tree of {count(len(names), 'variable')}, cut into {count(partition.n_cut, 'group')}; after merging "
        f"{count(partition.n_clusters, 'cluster')}"
    )
    return figure, alt


def description(partition: Partition, kind: str) -> str:
    """Explain how the clusters were made."""
    p, n, large = len(partition.labels), partition.n_cut, partition.large
    measure = MEASURES[kind]
    sizes = np.bincount(labels_at(partition.tree, partition.n_cut))
    small = int((sizes < large).sum())
    lead = (
        f"From the left, the most similar variables ({measure}) are merged first. The dashed line cuts the tree "
        f"where most "
        f"groups are large: at least {large} of {p:,} variables"
    )
    if n == 1:
        return f"{lead}; no cut gives more than one, so all variables form one cluster."
    if not small:
        return f"{lead}; this gives {n} groups, all of them large."
    return (
        f"{lead}; {len(sizes) - small} of {count(n, 'group')} are. Each smaller group was merged with the most similar "
        f"group, which gives {count(partition.n_clusters, 'cluster')}."
    )


def cut_figure(partition: Partition) -> tuple[go.Figure, str]:
    """Draw the number of large groups at each cut, the criterion of the cut; return the figure and a text."""
    counts = large_by_cut(partition.tree, partition.large)
    cuts = list(range(1, len(counts) + 1))
    figure = go.Figure()
    figure.add_scatter(
        x=cuts,
        y=counts.tolist(),
        mode="lines+markers",
        line={"color": BLUE, "width": 2, "shape": "hv"},
        marker={"size": 5},
        hovertext=[f"{count(k, 'group')}, {n} of them large" for k, n in zip(cuts, counts.tolist(), strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    figure.add_vline(x=partition.n_cut, line={"color": ORANGE, "dash": "dash", "width": 2})
    figure.update_xaxes(title="groups at the cut", rangemode="tozero")
    figure.update_yaxes(title="large groups", rangemode="tozero", dtick=max(1, int(counts.max()) // 5))
    figure.update_layout(height=220, margin={"l": 10, "r": 10, "t": 20, "b": 10})
    most, groups = int(counts.max()), count(partition.n_cut, "group")
    return figure, f"Large groups at each cut: at most {most}, first reached with {groups}"


def is_collapsed(partition: Partition) -> bool:
    """Return True if only the top of the tree is drawn."""
    return len(partition.labels) > MAX_LEAVES


def _drawn(partition: Partition) -> dict:
    """Return order and shape of the tree as computed by scipy's `dendrogram`."""
    top = {"truncate_mode": "lastp", "p": TOP_BRANCHES} if is_collapsed(partition) else {}
    return dendrogram(partition.tree, no_plot=True, get_leaves=True, **top)


def _members(partition: Partition) -> list[np.ndarray]:
    """Return the variables below each node of the tree: the leaves, then the merges."""
    below = [np.array([k]) for k in range(len(partition.labels))]
    for a, b in partition.tree[:, :2].astype(int).tolist():
        below.append(np.concatenate([below[a], below[b]]))
    return below


def _leaves(partition: Partition, drawn: dict) -> list[np.ndarray]:
    below = _members(partition)
    return [below[node] for node in drawn["leaves"]]


def _merges(partition: Partition, drawn: dict) -> list[_Merge]:
    """Return each merge that scipy draws, with its members."""
    leaves, merges = _leaves(partition, drawn), []
    # scipy puts leaf k at 10 k + 5; a merge contains the leaves that its branches reach.
    reach: dict[tuple[float, float], np.ndarray] = {(10.0 * k + 5, 0.0): leaf for k, leaf in enumerate(leaves)}
    order = np.argsort([max(d) for d in drawn["dcoord"]], kind="stable").tolist()
    for position in order:
        (y0, y1, _, y3), (d0, d1, _, d3) = drawn["icoord"][position], drawn["dcoord"][position]
        members = np.concatenate([reach[y0, d0], reach[y3, d3]])
        reach[(y1 + y3) / 2, d1] = members
        rows = ((y0 - 5) / 10, (y3 - 5) / 10)
        merges.append(_Merge(rows, (_shared(d0), _shared(d3)), _shared(d1), members))
    return merges


def _shared(distance: float) -> float:
    return max(1.0 - distance, MIN_SHARED)


def _cut(partition: Partition) -> float:
    """Return the position of the cut, between the last merge below it and the first above."""
    p, heights = len(partition.labels), partition.tree[:, 2]
    made = p - partition.n_cut
    last = _shared(heights[made - 1]) if made else 1.0
    undone = _shared(heights[made]) if made < len(heights) else last / 4
    return float(np.sqrt(last * undone))


def _draw_branches(figure: go.Figure, merges: Sequence[_Merge], partition: Partition, cut: float, high: float) -> None:
    """Draw branches below the cut in the colour of their cluster, and branches above it in grey."""
    lines: dict[int, tuple[list, list]] = {}
    for merge in merges:
        cluster = int(partition.labels[merge.members[0]]) if merge.shared > cut else -1
        x, y = lines.setdefault(cluster, ([], []))
        x += [min(merge.begins[0], high), merge.shared, merge.shared, min(merge.begins[1], high), None]
        y += [merge.rows[0], merge.rows[0], merge.rows[1], merge.rows[1], None]
    for cluster, (x, y) in sorted(lines.items()):
        hue = GREY if cluster < 0 else colour(cluster)
        figure.add_scatter(x=x, y=y, mode="lines", line={"color": hue, "width": 1.8}, hoverinfo="skip")


def _draw_joints(figure: go.Figure, merges: Sequence[_Merge], names: Sequence[str]) -> None:
    """Draw small marks at the merges, with their members and similarity on hover."""
    figure.add_scatter(
        x=[merge.shared for merge in merges],
        y=[sum(merge.rows) / 2 for merge in merges],
        mode="markers",
        marker={"size": 5, "color": GREY},
        text=[f"{count(len(merge.members), 'variable')}: {_named(merge.members, names)}" for merge in merges],
        customdata=[1 - merge.shared for merge in merges],
        hovertemplate="%{text}<br>similarity %{x:.3g} on average, distance %{customdata:.4f}<extra></extra>",
    )


def _draw_leaves(
    figure: go.Figure, leaves: Sequence[np.ndarray], partition: Partition, names: Sequence[str], high: float
) -> None:
    """Draw the letter of the cluster at each leaf; for a collapsed branch, the most frequent letter."""
    clusters = [int(np.bincount(partition.labels[members]).argmax()) for members in leaves]
    words = [f"{_named(own, names)}<br>cluster {mark(k)}" for own, k in zip(leaves, clusters, strict=True)]
    figure.add_scatter(
        x=[high] * len(leaves),
        y=list(range(len(leaves))),
        mode="markers+text",
        marker={"size": 15, "color": [colour(k) for k in clusters], "line": {"width": 1, "color": GREY}},
        text=[mark(k) for k in clusters],
        textfont={"size": 10, "color": [ink(k) for k in clusters], "weight": "bold"},
        hovertext=words,
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _tick(members: np.ndarray, labels: np.ndarray, names: Sequence[str]) -> str:
    if len(members) == 1:
        return plain(names[int(members[0])])
    spread = np.unique(labels[members]).tolist()
    return f"{len(members)} variables" + ("" if len(spread) == 1 else f" of {', '.join(map(mark, spread[:4]))}")


def _named(members: np.ndarray, names: Sequence[str]) -> str:
    shown = [plain(names[k]) for k in members[:MAX_NAMED].tolist()]
    more = [f"{len(members) - MAX_NAMED} more"] if len(members) > MAX_NAMED else []
    return ", ".join([*shown, *more])
