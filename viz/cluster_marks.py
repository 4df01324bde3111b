"""Letters and colours of clusters, the same in every figure."""

from __future__ import annotations

from string import ascii_uppercase

import numpy as np

from learners.common.sentences import Count, phrase

from .graph_data import GraphViewData, Group

# Ten hues with a contrast of at least 3:1 to a white and to a dark page. Ten colours are hard to distinguish, so each
# cluster also has a letter; clusters from the eleventh on have square badges.
COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B88000", "#7B5BC4", "#2F9BD6", "#BA4068", "#6B7A1F", "#A0522D",
)  # fmt: skip
BLACK, WHITE = "#000000", "#ffffff"
WHITE_ON = ("#0072B2", "#7B5BC4", "#BA4068", "#6B7A1F", "#A0522D")  # colours on which black letters lack contrast


def mark(cluster: int) -> str:
    """Return the letter of a cluster: A to Z, then A2, B2, ..."""
    turn, letter = divmod(cluster, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(turn + 1) if turn else "")


def colour(cluster: int) -> str:
    """Return the colour of a cluster; colours repeat after the last one."""
    return COLOURS[cluster % len(COLOURS)]


def ink(cluster: int) -> str:
    """Return the letter colour with enough contrast to the colour of a cluster."""
    return WHITE if colour(cluster) in WHITE_ON else BLACK


def shape(cluster: int) -> str:
    """Return the badge shape of a cluster, which changes after every ten clusters."""
    return ("round", "square")[cluster // len(COLOURS) % 2]


def groups_of(labels: np.ndarray) -> list[Group]:
    """Return one group for each cluster, for the legend of the graph."""
    return [
        {
            "mark": mark(k),
            "name": phrase("cluster {mark}, {variables}", mark=mark(k), variables=Count(int(size), "variable")),
            "colour": colour(k),
            "ink": ink(k),
            "shape": shape(k),
        }
        for k, size in enumerate(np.bincount(labels))
    ]


def grouped(data: GraphViewData, labels: np.ndarray) -> GraphViewData:
    """Put each node into the group of its cluster; node ids are indices in `labels`."""
    nodes = [node | {"group": int(labels[node["id"]])} for node in data["nodes"]]
    return data | {"nodes": nodes, "groups": groups_of(labels)}


def blend(over: str, under: str, share: float) -> str:
    """Mix a share of the colour `over` with the colour `under`, as #rrggbb."""
    channels = ((int(over[k : k + 2], 16), int(under[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in channels)


def cluster_sizes(labels: np.ndarray) -> str:
    """Return the size of each cluster as text: A 12, B 3."""
    return ", ".join(f"{mark(k)} {int(size)}" for k, size in enumerate(np.bincount(labels)))
