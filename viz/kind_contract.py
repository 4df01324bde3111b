"""Views of a run in the app: the record that each family of learners fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .graph_data import GraphViewData
from .rows import Rows
from .tables import edge_rows, separated_rows
from .trace_steps import CHANGES, StepMeanings

Part = TypeVar("Part")


@dataclass(frozen=True)
class SliderModes:
    """The slider modes of a kind of run.

    Attributes
    ----------
    labels : mapping of str to str
        Key and label of each mode.
    default : str
        Key of the initial mode.
    help : str
    """

    labels: Mapping[str, str]
    default: str
    help: str = ""


REPLAY = SliderModes({"run": "Steps of the run"}, "run")


class Timeline(Protocol):
    """Interface of functions that return the data of the graph component."""

    def __call__(self, result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
        """Return the run step by step; parameters as for `replay`."""


@dataclass(frozen=True)
class Kind:
    """Views of the runs of one kind. Callables take the result first.

    Attributes
    ----------
    timeline : Timeline
        The run, step by step.
    callouts : tuple of callables
        Each returns a sentence for beginners, or None if it does not apply; the most important first.
    steps : StepMeanings
        Meaning of a step of the slider.
    comparable : callable
        Graph to compare with a true CPDAG at a step.
    leaves_open : callable
        Returns True if the run did not search for directions.
    summary : callable
        A sentence above the picture, if the run is about one variable.
    tables : mapping of str to callable
        Tables of a result and the graph on screen, by their label.
    slider_modes : callable
        Modes of the slider.
    parts : callable
        Names of the parts below the picture, see `pages.blocks.inspect.parts`.
    beside : callable
        Names of the parts next to an explanation, see `pages.blocks.inspect.explanation`.
    to_find_more : str
        Setting that gives more edges.
    special : mapping of type to callable
        Return values that only one family has, by their type: see `special_part`.
    """

    timeline: Timeline
    callouts: tuple[Callable[[LearnResult], str | None], ...]
    steps: StepMeanings = CHANGES
    comparable: Callable[[LearnResult, int | None, PDAG], PDAG] = lambda _result, _step, graph: graph
    leaves_open: Callable[[LearnResult], bool] = lambda _result: False
    summary: Callable[[LearnResult], str | None] = lambda _result: None
    tables: Mapping[str, Callable[[LearnResult, PDAG], Rows]] = field(
        default_factory=lambda: {"Edges": edge_rows, "Separated pairs": separated_rows}
    )
    slider_modes: Callable[[LearnResult], SliderModes] = lambda _result: REPLAY
    parts: Callable[[LearnResult], tuple[str, ...]] = lambda _result: ()
    beside: Callable[[LearnResult], tuple[str, ...]] = lambda _result: ()
    to_find_more: str = "larger alpha"
    special: Mapping[type, Callable[[LearnResult], Any]] = field(default_factory=dict)

    def special_part(self, part: type[Part], result: LearnResult) -> Part | None:
        """Return an optional part of a family, such as the clusters of a partitioned run, or None."""
        return self.special[part](result) if part in self.special else None
