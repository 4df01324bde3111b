"""What a kind of run shows: the record that each family fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from learners.graphs.graph import PDAG
from learners.phgs.ppc import PartitionedEvidence
from learners.results.events import Event
from learners.results.result import LearnResult

from .averaging.words import Number
from .changes import graph_after, interval, last_change, with_last_removed
from .graph_data import GraphViewData
from .pair import Pair, Story
from .phgs.words import Solutions
from .rows import Rows
from .slider_modes import REPLAY, SliderModes
from .tables import edge_rows, separated_rows


class Timeline(Protocol):
    """Makes the data of the graph component."""

    def __call__(self, result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
        """Parameters as for `replay`."""


@dataclass(frozen=True)
class Kind:
    """What runs of one kind show. Callables take the result first.

    Attributes
    ----------
    timeline : Timeline
        The run, step by step.
    why : callable
        The story of a pair.
    sentence : callable
        One event of the trace, given the names of the variables.
    callouts : tuple of callables
        What is worth noticing, the most telling first; None where the run does not bear it out.
    last_step, choice_step, graph_at : callable
        Number of the last step, of the one whose graph is the result, and the graph at a step.
    interval : callable
        Steps ``first <= step < last`` at which two variables are joined.
    wider_graph : callable
        The result and so many of the edges that left last.
    comparable : callable
        What to hold against a true CPDAG of the graph at a step.
    leaves_open : callable
        Whether the run looked for no directions.
    blanket : callable
        The Markov blanket in a sentence, where that of one variable was sought.
    clusters : callable
        The evidence of a run that clustered its variables, else None.
    tables : mapping of str to callable
        Tables of a result and the graph on screen, by their label.
    slider_modes : callable
        What the slider can move through.
    parts : callable
        Names of what the Inspect page shows below the picture, see `pages.blocks.inspect.parts`.
    beside : tuple of str
        Names of what it shows beside the story of a pair, see `pages.blocks.inspect.explanation`.
    number : Number, optional
        What the number of an edge is, if it has one.
    solutions : Solutions, optional
        What the solutions of a path are, if there is one.
    to_find_more : str
        What to set for more edges.
    """

    timeline: Timeline
    why: Callable[[Pair], Story]
    sentence: Callable[[Event, Sequence[str]], str]
    callouts: tuple[Callable[[LearnResult], str | None], ...]
    last_step: Callable[[LearnResult], int] = last_change
    choice_step: Callable[[LearnResult], int] = last_change
    graph_at: Callable[[LearnResult, int], PDAG] = graph_after
    interval: Callable[[LearnResult, int, int], tuple[int, int]] = interval
    wider_graph: Callable[[LearnResult, int], PDAG] = with_last_removed
    comparable: Callable[[LearnResult, int | None, PDAG], PDAG] = lambda _result, _step, graph: graph
    leaves_open: Callable[[LearnResult], bool] = lambda _result: False
    blanket: Callable[[LearnResult], str | None] = lambda _result: None
    clusters: Callable[[LearnResult], PartitionedEvidence | None] = lambda _result: None
    tables: Mapping[str, Callable[[LearnResult, PDAG], Rows]] = field(
        default_factory=lambda: {"Edges": edge_rows, "Separated pairs": separated_rows}
    )
    slider_modes: Callable[[LearnResult], SliderModes] = lambda _result: REPLAY
    parts: Callable[[LearnResult], tuple[str, ...]] = lambda _result: ()
    beside: Callable[[LearnResult], tuple[str, ...]] = lambda _result: ()
    number: Callable[[LearnResult], Number | None] = lambda _result: None
    solutions: Solutions | None = None
    to_find_more: str = "larger alpha"
