"""Data of the graph component: JSON-serializable types, and functions that build nodes and spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

import numpy as np

from learners.common.sentences import phrase
from learners.results.step_graphs import AGAINST, ALONG, CONFLICT

NodeId = int | str
Mark = Literal[
    "undirected", "forward", "backward", "conflict", "circles", "circle-forward", "circle-backward", "bidirected"
]
Difference = Literal["both", "only_a", "only_b", "direction_differs", "left_open"]
Pen = Literal["node", "edge", "turn", "rename", "delete", "click"]
# Background knowledge on an edge (a, b); "along" is a -> b.
Rule = Literal["apart", "not_along", "not_against", "along", "against", "outcome"]
PointMark = Literal["dot", "hollow", "star", "hollow star"]

SHD = phrase("SHD to the truth")  # label of a series
MARKS = {ALONG: "forward", AGAINST: "backward", ALONG | AGAINST: "undirected"}


class NodeData(TypedDict):
    """A variable: `x` and `y` in [0, 1], y downwards, the full `label`, and the index `group` of its group.

    blocks
        Step ranges ``[from, to]``, `to` exclusive, in which it blocks the highlighted path.
    """

    id: NodeId
    label: str
    x: float
    y: float
    group: NotRequired[int]
    blocks: NotRequired[list[list[int]]]


class Group(TypedDict):
    """A group of nodes, tinted in `colour`, with a badge that shows `mark` (one or two letters)."""

    mark: str
    name: str
    colour: str
    ink: str
    shape: Literal["round", "square"]


class EdgeData(TypedDict):
    """A pair that is adjacent at some steps; the mark "forward" is a -> b.

    spans
        ``[from, to, mark]`` or ``[from, to, mark, a_aware, b_aware]``, `to` exclusive, ascending, not overlapping. The
        flags draw the awareness dot of LMM at that end.
    strength, strength_text
        In [0, 1], sets the line width.
    opacity, opacity_text
        Posterior probability in [0, 1].
    untested
        No test was done for the pair.
    doubt, doubt_text
        Direction that is drawn as uncertain, and the reason.
    undecided
        The arrow is grey, because the verdict on it is open.
    determined
        The edge is drawn as "=" without a direction, because one end determines the other; the reason.
    few_rows
        Draws a faint line while the pair is not adjacent, because every test had too few rows.
    truth
        Mark in the true CPDAG; "none" or missing if the edge does not exist.
    comparable
        Spans ``[from, to, mark]`` in which `mark` instead of the drawn one is compared with the truth.
    turns
        Spans ``[from, to, how]`` of one step. The edge turned ("by-hand", "follows", "besides" or "changed"), lies on a
        path ("open" or "shut"), or is "asked" about in a quiz.
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
    undecided: NotRequired[bool]
    determined: NotRequired[str]
    few_rows: NotRequired[bool]
    opacity: NotRequired[float]
    opacity_text: NotRequired[str]
    truth: NotRequired[Mark]
    comparable: NotRequired[list[list]]
    turns: NotRequired[list[list]]
    diff: NotRequired[Difference]


class Series(TypedDict):
    """One number per step, or None, on a linear scale.

    log
        The scale is logarithmic.
    probability
        The numbers are in [0, 1], shown on a log-odds scale with marks.
    log_p
        The numbers are log10 of p-values, shown as p on a scale that spreads those near 1.
    decimals
        Number of decimals of the texts; 0 for three significant digits.
    marks
        Clickable point of each step, or None: a star is the chosen solution, a hollow mark is not a valid CPDAG.
    """

    label: str
    values: list[float | int | None]
    log: NotRequired[bool]
    probability: NotRequired[bool]
    log_p: NotRequired[bool]
    decimals: NotRequired[int]
    marks: NotRequired[list[PointMark | None]]


class ThresholdLine(TypedDict):
    """A line on the curve of `series` that the user drags between `low` and `high`.

    The line selects the first step from `first` on whose next value exceeds it (if `falling`: does not exceed it), and
    at the latest `last`. `label` is drawn at the line, `name` is its accessible name, `value` its initial value or
    None. A line that `follows` moves with the slider.
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


# Nodes outlined with a label at the steps from "from" to "to", exclusive.
Box = TypedDict("Box", {"from": int, "to": int, "nodes": list[NodeId], "label": str})
# A phase of the run and its first step; "from" is a keyword, so the class syntax is impossible.
Phase = TypedDict("Phase", {"label": str, "from": int})


class Jump(TypedDict):
    """A button that leads to a step, with its label and help."""

    label: str
    step: int
    help: str


class WhatIf(TypedDict):
    """Settings for steps that are values of a parameter, each compared with `base` or with the user's reference.

    `bands` are step ranges ``[from, to]``, `to` exclusive, within which the graph does not change; `missing` are ranges
    without results yet. `left_out` is the node that the table of each step lacks, -1 for none; empty if all steps
    have the same columns.
    """

    base: int
    bands: list[list[int]]
    missing: list[list[int]]
    jumps: list[Jump]
    left_out: NotRequired[list[int]]


class Steps(TypedDict):
    """The slider: steps 0 .. count - 1, numbered from `offset` on.

    text, ticks
        Sentence and axis value of each step.
    curve
        Index of the series drawn first.
    choice, choice_label
        Step of the result, and the label of the button that leads to it.
    begin
        Step that is shown first, if it is not that of the result.
    events
        Steps to jump between. Default: all steps that change the graph.
    blind
        Step ranges ``[from, to]``, `to` exclusive, with unknown directions.
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
    begin: NotRequired[int]
    events: NotRequired[list[int]]
    blind: NotRequired[list[list[int]]]
    phases: NotRequired[list[Phase]]
    threshold: NotRequired[ThresholdLine | None]
    what_if: NotRequired[WhatIf | None]


class Stroke(TypedDict):
    """A drawing action of the user, or a click in question mode; `id` increases from stroke to stroke.

    node
        New node `at` (x, y) in [0, 1], or at a free position; a child of the node in `nodes`, if there is one.
    edge
        New edge from the first to the second of `nodes`.
    turn, delete
        The edge between two `nodes`; "delete" also takes a single node.
    rename
        A node gets the new `name`.
    click
        A click on a node, or on the edge between two.
    """

    id: int
    what: Pen
    nodes: list[NodeId]
    at: NotRequired[list[float]]
    name: NotRequired[str]


class Slide(TypedDict):
    """A slide of a presentation; `next` is the title of the next one, or "" at the end."""

    next: str


class Early(TypedDict):
    """Legend text of arrows at the steps before `until`."""

    until: int
    directed: str


class GraphViewData(TypedDict):
    """Everything that the graph component draws.

    directed, undirected
        Legend texts of arrows and of undirected edges, if they mean something else than in a CPDAG.
    early
        Legend text of arrows at the steps before `until`, if they mean something else there.
    wider, fainter, leaves, ghost
        Legend texts of wider and fainter lines, and of edges that are removed at the next step or were removed, if the
        default texts do not fit.
    labels
        Names of the two compared graphs in the legend. Default: A and B.
    truth
        A truth is known and can be shown; "always" shows it at once.
    title
        Title of exported images.
    present, notes
        "1" is the presenter view: large letters, keys of a remote, changes highlighted. "notes" is the window with the
        speaker notes.
    slide
        Page keys turn slides.
    rules
        Offers a context menu to forbid or require an edge.
    blanket
        False: a selected variable does not show its Markov blanket.
    asks
        Question mode: a click is sent as a `Stroke` and selects nothing.
    orients
        In question mode, dragging from a node's dot to another node sends a `Stroke` "edge".
    draws
        Nodes and edges can be drawn, see `Stroke`.
    run
        Name of the run. When it changes, step and pins are reset; zoom and selection stay.
    """

    nodes: list[NodeData]
    edges: list[EdgeData]
    steps: Steps
    groups: NotRequired[list[Group]]
    boxes: NotRequired[list[Box]]
    directed: NotRequired[str]
    undirected: NotRequired[str]
    early: NotRequired[Early]
    wider: NotRequired[str]
    fainter: NotRequired[str]
    leaves: NotRequired[str]
    ghost: NotRequired[str]
    labels: NotRequired[list[str]]
    truth: NotRequired[bool | Literal["always"]]
    title: NotRequired[str]
    present: NotRequired[Literal["", "1", "notes"]]
    notes: NotRequired[list[str]]
    slide: NotRequired[Slide]
    rules: NotRequired[bool]
    blanket: NotRequired[bool]
    asks: NotRequired[bool]
    orients: NotRequired[bool]
    draws: NotRequired[bool]
    run: NotRequired[str]
    file_name: NotRequired[str]
    allow_pins: NotRequired[bool]


def nodes(names: Sequence[str], positions: np.ndarray) -> list[NodeData]:
    """Return the nodes with their labels and (p, 2) positions in [0, 1]."""
    return [
        {"id": k, "label": name, "x": float(x), "y": float(y)}
        for k, (name, (x, y)) in enumerate(zip(names, positions.tolist(), strict=True))
    ]


def mark_of(code: int) -> str:
    """Return the mark of an edge code of `StepGraphs`, or "none"."""
    if not code:
        return "none"
    return "conflict" if code & CONFLICT else MARKS[int(code)]


def runs(codes: np.ndarray, first: int) -> list[list]:
    """Return ``[from, to, mark]`` for each run of equal codes other than 0."""
    borders = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), len(codes)]
    return [[first + a, first + b, mark_of(codes[a])] for a, b in zip(borders, borders[1:], strict=False) if codes[a]]


def merged(spans: Sequence[list], end: int) -> list[list]:
    """Merge adjacent spans with the same mark."""
    result: list[list] = []
    for begin, stop, mark in spans:
        if result and result[-1][1] == begin and result[-1][2] == mark:
            result[-1][1] = stop
        elif begin < min(stop, end):
            result.append([begin, stop, mark])
    return result


def outside(first: int, beyond: int, end: int) -> list[list[int]]:
    """Return the ranges ``[from, to]`` of the steps 0 .. end - 1 before `first` and from `beyond` on."""
    return [[a, b] for a, b in ((0, min(first, end)), (beyond, end)) if a < b]
