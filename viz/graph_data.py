"""What the graph component is given: plain, JSON-able, computed once per result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

import numpy as np

from learners.results.step_graphs import AGAINST, ALONG, CONFLICT

NodeId = int | str
Mark = Literal["undirected", "forward", "backward", "conflict"]
Difference = Literal["both", "only_a", "only_b", "direction_differs"]
Pen = Literal["node", "edge", "turn", "rename", "delete", "click"]
Rule = Literal["apart", "not_along", "not_against", "along", "against"]  # of an edge (a, b): along is a -> b
PointMark = Literal["dot", "hollow", "star", "hollow star"]

MARKS = {ALONG: "forward", AGAINST: "backward", ALONG | AGAINST: "undirected"}


class Node(TypedDict):
    """A variable; `x` and `y` in [0, 1], y downwards, `label` in full, `group` a position in the picture's groups."""

    id: NodeId
    label: str
    x: float
    y: float
    group: NotRequired[int]


class Group(TypedDict):
    """Nodes that belong together: each is tinted in `colour` and wears a badge with `mark`, one or two letters."""

    mark: str
    name: str
    colour: str
    ink: str
    shape: Literal["round", "square"]


class Edge(TypedDict):
    """A pair that is joined in some steps; "forward" is a -> b.

    `spans` are ``[from, to, mark]`` or ``[from, to, mark, a_aware, b_aware]`` with `to` exclusive, ascending, not
    overlapping; the last two put the dot of LMM's awareness at that end. `strength` in [0, 1] sets the width,
    `opacity` in [0, 1] is a posterior, told as `opacity_text`; `untested` marks an edge that no test has asked about.
    `truth` is the edge in the true CPDAG, "none" or no entry if it is not there; `held` are spans at which another mark
    than the drawn one is held against it. `turns` are spans ``[from, to, how]`` of one step at which the edge turned:
    "by-hand", "follows", "besides" or "changed"; or lay on a path that is "open" or "shut"; or is "asked" about by a
    quiz. `doubt` is the direction in which it is drawn as uncertain, for what `doubt_text` says. `few_rows` draws a
    faint line where the pair is not joined, for no test could tell.
    """

    id: NodeId
    a: NodeId
    b: NodeId
    spans: list[list]
    strength: NotRequired[float | None]
    strength_text: NotRequired[str]
    required: NotRequired[bool]
    forbidden: NotRequired[bool]
    untested: NotRequired[bool]
    doubt: NotRequired[Literal["forward", "backward"]]
    doubt_text: NotRequired[str]
    few_rows: NotRequired[bool]
    opacity: NotRequired[float]
    opacity_text: NotRequired[str]
    truth: NotRequired[Mark]
    held: NotRequired[list[list]]
    turns: NotRequired[list[list]]
    diff: NotRequired[Difference]


class Series(TypedDict):
    """A number per step, None where there is none; `log` draws it on a logarithmic scale.

    `probability` draws numbers in [0, 1] on the scale of their log-odds, which spreads both ends, with marks.
    `log_p` takes log10 of p-values, spreads those near 1, and tells them as p. `marks`, one a step or None, are points
    on the curve to click: a star is what was chosen, a hollow one has no DAG.
    """

    label: str
    values: list[float | int | None]
    log: NotRequired[bool]
    probability: NotRequired[bool]
    log_p: NotRequired[bool]
    marks: NotRequired[list[PointMark | None]]


class Threshold(TypedDict):
    """A line to drag up and down on the curve of `series`, between the values `low` and `high`.

    It leads to the first step from `first` on whose next step has a value above the line, or where the values are
    `falling` one not above it; at the latest to `last`. `label` stands at the line, `name` is read out; `value` is
    where it lies at first, None for nowhere. A line that `follows` moves with the slider, and lies there at the choice.
    """

    label: str
    name: str
    series: int
    first: int
    last: int
    value: float | None
    low: float
    high: float
    falling: NotRequired[bool]
    follows: NotRequired[bool]


# A group of nodes that is outlined with a label in the steps from "from" to "to", exclusive.
Box = TypedDict("Box", {"from": int, "to": int, "nodes": list[NodeId], "label": str})
# A stage of the run and the step it starts at; "from" is a keyword, so it cannot be written as a class.
Phase = TypedDict("Phase", {"label": str, "from": int})


class Jump(TypedDict):
    """A step worth a button: what stands on it, and what it means."""

    label: str
    step: int
    help: str


class WhatIf(TypedDict):
    """The steps are values of a parameter: each is held against the step `base`, until the user holds another one.

    `bands` are steps ``[from, to]``, `to` exclusive, between which the graph does not change, `missing` those not there
    yet.
    """

    base: int
    bands: list[list[int]]
    missing: list[list[int]]
    jumps: list[Jump]


class Steps(TypedDict):
    """The scrubber: steps 0 .. count - 1, shown as numbers from `offset` on.

    `text` and `ticks` (values on the axis) have one entry a step; `curve` is the series first drawn above the
    slider; `events` are the steps to jump between (default: each step that changes the graph); `choice_label` names
    the button that leads to the choice; `blind` are steps ``[from, to]``, `to` exclusive, whose directions are unknown.
    """

    count: int
    axis_label: NotRequired[str]
    offset: NotRequired[int]
    text: NotRequired[list[str]]
    ticks: NotRequired[list[str]]
    series: NotRequired[list[Series]]
    curve: NotRequired[int]
    choice: NotRequired[int | None]
    choice_label: NotRequired[str]
    events: NotRequired[list[int]]
    blind: NotRequired[list[list[int]]]
    phases: NotRequired[list[Phase]]
    threshold: NotRequired[Threshold | None]
    what_if: NotRequired[WhatIf | None]


class Stroke(TypedDict):
    """What the user drew, or clicked where a click asks something.

    A "node" lies `at` (x, y) in [0, 1], or wherever there is room, and is a child of the one of `nodes`, if any; an
    "edge" leads from the first of two `nodes` to the second; to "delete" are a node or the edge of two; "rename" has
    the new `name`; a "click" was on a node or on the edge of two. `id` rises from stroke to stroke.
    """

    id: int
    what: Pen
    nodes: list[NodeId]
    at: NotRequired[list[float]]
    name: NotRequired[str]


class Slide(TypedDict):
    """One of several that a presenter turns; `next` is what comes after it, empty at the end."""

    next: str


class GraphViewData(TypedDict):
    """Everything drawn. `run` names the run: when it changes, step and pins start afresh, zoom and selection stay.

    `directed` is what the legend says of arrows, if they are not compelled at every step; `truth` says that a truth is
    known, and told edge by edge, or shown "always"; `title` stands on top of what is saved;
    `present` is "1" for a hall: large letters, a remote's keys, what a step is about stands out; "notes" is the window
    that tells the speaker the same, with `notes`. `slide` says that page keys turn slides, and what the next one is;
    `rules` offers a menu to forbid or require an edge; `asks` says that a click is told as a `Stroke`, and selects
    nothing; `draws` that nodes and edges can be drawn, see `Stroke`.
    """

    nodes: list[Node]
    edges: list[Edge]
    steps: Steps
    groups: NotRequired[list[Group]]
    boxes: NotRequired[list[Box]]
    directed: NotRequired[str]
    truth: NotRequired[bool | Literal["always"]]
    title: NotRequired[str]
    present: NotRequired[Literal["", "1", "notes"]]
    notes: NotRequired[list[str]]
    slide: NotRequired[Slide]
    rules: NotRequired[bool]
    asks: NotRequired[bool]
    draws: NotRequired[bool]
    run: NotRequired[str]
    file_name: NotRequired[str]
    allow_pins: NotRequired[bool]


def nodes(names: Sequence[str], positions: np.ndarray) -> list[Node]:
    """Return the nodes with their labels and (p, 2) positions in [0, 1]."""
    return [
        {"id": k, "label": name, "x": float(x), "y": float(y)}
        for k, (name, (x, y)) in enumerate(zip(names, positions.tolist(), strict=True))
    ]


def mark_of(code: int) -> str:
    """How an edge with a code of `StepGraphs` is drawn; "none" if it is not there."""
    if not code:
        return "none"
    return "conflict" if code & CONFLICT else MARKS[int(code)]


def runs(codes: np.ndarray, first: int) -> list[list]:
    """``[from, to, mark]`` of each stretch of equal codes but 0."""
    borders = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), len(codes)]
    return [[first + a, first + b, mark_of(codes[a])] for a, b in zip(borders, borders[1:], strict=False) if codes[a]]


def merged(spans: Sequence[list], end: int) -> list[list]:
    """Spans that touch and look alike as one."""
    joined: list[list] = []
    for begin, stop, mark in spans:
        if joined and joined[-1][1] == begin and joined[-1][2] == mark:
            joined[-1][1] = stop
        elif begin < min(stop, end):
            joined.append([begin, stop, mark])
    return joined


def outside(first: int, beyond: int, end: int) -> list[list[int]]:
    """The steps ``[from, to]`` of 0 .. end - 1 before `first` and from `beyond` on."""
    return [[a, b] for a, b in ((0, min(first, end)), (beyond, end)) if a < b]
