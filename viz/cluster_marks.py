"""Clusters as groups of nodes: a letter and a colour each, in every picture the same."""

from __future__ import annotations

from string import ascii_uppercase

import numpy as np

from .graph_data import GraphViewData, Group
from .text import count

# Ten hues that stand out from a white page and from a dark one (3:1 at least). Nobody tells that many apart by colour
# alone, so each group has a letter; the second ten have square badges.
COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B88000", "#7B5BC4", "#2F9BD6", "#BA4068", "#6B7A1F", "#A0522D",
)  # fmt: skip
BLACK, WHITE = "#000000", "#ffffff"
WHITE_ON = ("#0072B2", "#7B5BC4", "#BA4068", "#6B7A1F", "#A0522D")  # where black letters would be hard to read


def mark(cluster: int) -> str:
    """Its letter: A to Z, then A2, B2, ..."""
    turn, letter = divmod(cluster, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(turn + 1) if turn else "")


def colour(cluster: int) -> str:
    """Its hue; used again after `COLOURS` of them."""
    return COLOURS[cluster % len(COLOURS)]


def ink(cluster: int) -> str:
    """What can be read on its hue."""
    return WHITE if colour(cluster) in WHITE_ON else BLACK


def shape(cluster: int) -> str:
    """Round for the first ten, then square."""
    return ("round", "square")[cluster // len(COLOURS) % 2]


def groups_of(labels: np.ndarray) -> list[Group]:
    """One group a cluster, for the graph's legend."""
    return [
        {
            "mark": mark(k),
            "name": f"cluster {mark(k)}, {count(int(size), 'variable')}",
            "colour": colour(k),
            "ink": ink(k),
            "shape": shape(k),
        }
        for k, size in enumerate(np.bincount(labels))
    ]


def grouped(data: GraphViewData, labels: np.ndarray) -> GraphViewData:
    """The same picture with each node in the group of its cluster; node ids are positions in `labels`."""
    nodes = [node | {"group": int(labels[node["id"]])} for node in data["nodes"]]
    return data | {"nodes": nodes, "groups": groups_of(labels)}


def blend(over: str, under: str, share: float) -> str:
    """`share` of the colour `over`, the rest `under`, as #rrggbb."""
    channels = ((int(over[k : k + 2], 16), int(under[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in channels)


def cluster_sizes(labels: np.ndarray) -> str:
    """How large each is, for a sentence: A 12, B 3."""
    return ", ".join(f"{mark(k)} {int(size)}" for k, size in enumerate(np.bincount(labels)))
