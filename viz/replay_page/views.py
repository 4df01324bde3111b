"""The sliders of the file: the run step by step, the other sliders of its kind, and the values of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from learners.explaining.support import directed_graph
from learners.families.averaging.probable_edges import of_frequencies, of_posterior
from learners.families.cimap.cuts import cuts_of
from learners.families.phgs.alpha_steps import solution_steps
from learners.families.phgs.ppc import PartitionedEvidence
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import bind
from learners.recipes.replay_file import Replay
from learners.registry import LEARNERS, as_completed
from learners.results.result import LearnResult
from learners.sweeping.curves import Curve, Judge

from ..averaging.timeline import probable_timeline
from ..averaging.words import EdgeMeasure
from ..cimap.timeline import cut_timeline
from ..cluster_marks import grouped
from ..compare.overlay import with_truth
from ..graph_data import GraphViewData
from ..kinds import kind_of, timeline
from ..labels import parameter_of
from ..phgs.timeline import solution_timeline
from ..phgs.words import Solutions
from ..score_based.penalties import penalty_timeline
from ..sweeping.strip import Axis, strip_view

STEPS = ("run", "moves")  # slider modes that move through the run itself


@dataclass(frozen=True)
class View:
    """A slider with its picture.

    Attributes
    ----------
    label : str
        Label of the button that shows it.
    data : GraphViewData
    results : mapping of int to LearnResult
        For a sweep: the results by step, without that of the run itself.
    base : int or None
        For a sweep: the step of the run itself; None if it is not among the values.
    """

    label: str
    data: GraphViewData
    results: Mapping[int, LearnResult] = field(default_factory=dict)
    base: int | None = None


def views_of(replay: Replay, positions: np.ndarray) -> list[View]:
    """Return the sliders of a run, as on the Inspect page, and the values of its sweep if there is one.

    Parameters
    ----------
    replay : Replay
    positions : (p, 2) float array
        In [0, 1].
    """
    modes = kind_of(replay.result).slider_modes(replay.result).labels
    made = {name: run_view if name in STEPS else OTHERS.get(name) for name in modes}
    views = [View(modes[name], _framed(replay, make(replay, positions))) for name, make in made.items() if make]
    return views if replay.sweep is None else [*views, _sweep_view(replay, positions)]


def first_view(replay: Replay, views: list[View]) -> int:
    """Return the position of the slider that is shown first, as on the Inspect page."""
    modes = kind_of(replay.result).slider_modes(replay.result)
    return next((k for k, view in enumerate(views) if view.label == modes.labels[modes.default]), 0)


def missing_modes(result: LearnResult) -> list[str]:
    """Return the labels of the sliders of the Inspect page that the file lacks."""
    modes = kind_of(result).slider_modes(result).labels
    return [label for name, label in modes.items() if name not in (*STEPS, *OTHERS)]


def run_view(replay: Replay, positions: np.ndarray) -> GraphViewData:
    """Return the view that replays the run step by step."""
    return timeline(replay.result, positions, truth=replay.truth)


def _framed(replay: Replay, data: GraphViewData) -> GraphViewData:
    """Add the truth and the clusters of the run, if it has them."""
    if replay.truth is not None:
        data = with_truth(data, replay.truth)
    clusters = kind_of(replay.result).special_part(PartitionedEvidence, replay.result)
    return data if clusters is None else grouped(data, clusters.labels)


def _solutions(replay: Replay, positions: np.ndarray) -> GraphViewData:
    """Return the view of the solutions of a run along alpha."""
    result = replay.result
    steps = solution_steps(result, bind(replay.known, result.names))
    solutions = kind_of(result).special_part(Solutions, result)
    return solution_timeline(result, steps, solutions, positions, truth=replay.truth)


def _cuts(replay: Replay, positions: np.ndarray) -> GraphViewData:
    """Return a run of CImap at each threshold."""
    result = replay.result
    return cut_timeline(result, cuts_of(result.extra, result.graph.skeleton), positions, truth=replay.truth)


def _penalties(replay: Replay, positions: np.ndarray) -> GraphViewData:
    """Return the graph at each penalty of a score path."""
    return penalty_timeline(replay.result, positions, truth=replay.truth)


def _probable(replay: Replay, positions: np.ndarray) -> GraphViewData:
    """Return the view of the edges with at least each probability or share."""
    result = replay.result
    measure = kind_of(result).special_part(EdgeMeasure, result)
    if measure.evidence == "resamples":
        share = result.params["share"] if result.params["graph"] == "frequent" else None
        edges = of_frequencies(result.extra, result.graph, share)
    else:
        edges = of_posterior(result.posterior)
    return probable_timeline(result, edges, measure, positions, truth=replay.truth)


# Other slider modes by name. The mode for any alpha is omitted, because a time limit decides how many graphs it has.
OTHERS: Mapping[str, Callable[[Replay, np.ndarray], GraphViewData]] = {
    "solutions": _solutions,
    "cuts": _cuts,
    "penalties": _penalties,
    "probable": _probable,
}


def _sweep_view(replay: Replay, positions: np.ndarray) -> View:
    sweep, result = replay.sweep, replay.result
    parameter = parameter_of(LEARNERS[sweep.key], sweep.parameter, sweep.values, replay.dataset)
    axis, own = Axis.of_parameter(parameter, sweep.values), result.params.get(sweep.parameter)
    base = sweep.values.index(own) if own in sweep.values else None
    graphs = [None if one is None else directed_graph(one) for one in sweep.results]
    curves = ()
    if replay.dataset is not None:
        learned = [None if one is None else one.graph for one in sweep.results]
        curves = Judge(as_completed(result, replay.dataset), replay.truth).curves(learned)
    found = {k: one for k, one in enumerate(sweep.results) if one is not None}
    return sweep_view(axis, graphs, base, found, result.names, positions, curves, reference=result)


def sweep_view(
    axis: Axis,
    graphs: Sequence[PDAG | None],
    base: int | None,
    results: Mapping[int, LearnResult],
    names: tuple[str, ...],
    positions: np.ndarray,
    curves: Sequence[Curve],
    reference: LearnResult | None = None,
) -> View:
    """Return the values of a sweep, as far as they are known.

    Parameters
    ----------
    axis, graphs, names, positions, curves, reference
        As for `strip_view`.
    base : int or None
        Position of the run itself, if it is one of the values.
    results : mapping of int to LearnResult
        The results that are known, by the position of their value.
    """
    data = strip_view(axis, graphs, base or 0, names, positions, curves, reference=reference)
    others = {k: one for k, one in results.items() if base not in (None, k) and one.names == names}
    return View(f"What if: {axis.label}", data, others, base)
