"""Data of the query component, and beliefs as a table."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from learners.data.plan.scales import PLAIN, Scale
from learners.networks.inference.answers import Beliefs
from learners.networks.inference.belief_ranges import Ends
from learners.networks.inference.evidence import Evidence, States

from ..text import short_names
from .texts import AROUND, around, mean_range_text, moments_text, number_text

FOLDER = Path(__file__).parent
LIMITS = ("95% from", "95% to")  # columns of the limits of intervals
SPREAD = 4.0  # range of a slider, in standard deviations around the mean
MAX_TITLE, MAX_WORD = 22, 14  # maximum number of characters of a variable name and of a level in a card
MAX_ERROR = 0.0005  # standard error beyond which a probability is shown without a decimal
MAX_ROUNDED = 0.9995  # probabilities beyond this (or below its complement) are not rounded to 100 % or 0 %


def picture(
    network: Any,
    positions: np.ndarray,
    shown: Iterable[int],
    now: Beliefs,
    before: Beliefs,
    reference: Beliefs | None,
    scales: Mapping[str, Scale],
    determined: Collection[frozenset[int]] = (),
    ranges: Ends | None = None,
    unsure: Collection[tuple[int, int]] = (),
    intervals: Ends | None = None,
) -> dict[str, Any]:
    """Return nodes and edges for `query.js`.

    Sliders and curves are in the units of the data, texts in those of the table.

    Parameters
    ----------
    network : DiscreteNetwork, GaussianNetwork or RegressionNetwork
    positions : (p, 2) float array
        In [0, 1].
    shown : iterable of int
        Variables to draw.
    now, before : Beliefs
        With and without the evidence.
    reference : Beliefs, optional
        Beliefs of a case that is pinned for comparison.
    scales : mapping of str to Scale
    determined : collection of pairs, optional
        Pairs in which one variable determines the other; they are drawn as "=".
    ranges : mapping of str to (low, high), optional
        Ranges of probabilities and means over several networks; the texts show them instead of single numbers.
    unsure : collection of (int, int), optional
        Arrows whose direction is open or doubtful; their heads are hollow.
    intervals : mapping of str to (low, high), optional
        Intervals of probabilities and means, drawn as whiskers.
    """
    shown = sorted(shown)
    labels = short_names(network.names, MAX_TITLE)
    nodes = [
        {
            "id": j,
            "name": network.names[j],
            "label": labels[j],
            "x": float(positions[j, 0]),
            "y": float(positions[j, 1]),
            "states": list(network.states[j]),
            "words": short_names(network.states[j], MAX_WORD),
            **_distribution(network, j, now, before, reference, scales, (ranges or {}).get(network.names[j])),
            **_whiskers(network, j, now, scales, (intervals or {}).get(network.names[j])),
        }
        for j in shown
    ]
    drawn = [(i, j) for i, j in network.dag.directed_edges() if i in set(shown) and j in set(shown)]
    edges = [[i, j, frozenset((i, j)) in determined, (i, j) in unsure] for i, j in drawn]
    return {"nodes": nodes, "edges": edges}


def marked(
    data: dict[str, Any], evidence: Evidence, done: Mapping[int, int | float], scales: Mapping[str, Scale]
) -> dict[str, Any]:
    """Add the evidence of each node, and the interventions `done` on it."""
    for node in data["nodes"]:
        node["known"] = done.get(node["id"], evidence.known.get(node["id"]))
        node["likely"] = node["id"] in evidence.likely
        node["done"] = node["id"] in done
        if node["done"] and not node["states"]:
            node |= {"sd": 0.0, "texts": [_known_number(node["known"], scales.get(node["name"], PLAIN))]}
    return data


def _distribution(
    network: Any,
    j: int,
    now: Beliefs,
    before: Beliefs,
    reference: Beliefs | None,
    scales: Mapping[str, Scale],
    ends: tuple[np.ndarray, np.ndarray] | None,
) -> dict[str, Any]:
    name = network.names[j]
    if network.states[j]:
        return _bars(name, now, reference, ends)
    return _curve(name, now, before, reference, scales.get(name, PLAIN), ends)


def _bars(
    name: str, now: Beliefs, reference: Beliefs | None, ends: tuple[np.ndarray, np.ndarray] | None
) -> dict[str, Any]:
    chances, error = now[name].tolist(), 0.0 if now.error is None else now.error.get(name, 0.0)
    texts = [share(value, error) for value in chances]
    if ends is not None:
        texts = [share_range(low, high, error) for low, high in zip(*(end.tolist() for end in ends), strict=True)]
    return {
        "chances": chances,
        "texts": texts,
        "reference": None if reference is None else reference[name].tolist(),
    }


def _curve(
    name: str,
    now: Beliefs,
    before: Beliefs,
    reference: Beliefs | None,
    scale: Scale,
    ends: tuple[np.ndarray, np.ndarray] | None,
) -> dict[str, Any]:
    (mean, variance), (middle, whole) = now[name], before[name]
    sd, reach = math.sqrt(variance), SPREAD * math.sqrt(whole)
    text = moments_text(mean, sd, scale) if sd else _known_number(mean, scale)
    if ends is not None and sd:
        text = mean_range_text(float(ends[0]), float(ends[1]), text, scale)
    return {
        "mean": mean,
        "sd": sd,
        "low": min(middle - reach, mean),
        "high": max(middle + reach, mean),
        "unit": scale.unit,
        "texts": [text],
        "reference": None if reference is None else [reference[name].mean, math.sqrt(reference[name].variance)],
    }


def _whiskers(
    network: Any, j: int, now: Beliefs, scales: Mapping[str, Scale], ends: tuple[np.ndarray, np.ndarray] | None
) -> dict[str, Any]:
    """Return the limits of the intervals of a variable and their texts; none for a known value."""
    name, scale = network.names[j], scales.get(network.names[j], PLAIN)
    is_known = max(now[name]) == 1.0 if network.states[j] else now[name].variance == 0.0
    if ends is None or is_known:
        return {"limits": [], "sure": []}
    limits = [[float(low), float(high)] for low, high in zip(*map(np.atleast_1d, ends), strict=True)]
    if network.states[j]:
        return {"limits": limits, "sure": [share_range(low, high) for low, high in limits]}
    return {
        "limits": limits,
        "sure": [f"{number_text(low, scale)} – {number_text(high, scale)}" for low, high in limits],
    }


def _known_number(value: float, scale: Scale) -> str:
    return f"{number_text(value, scale)} (click to clear)"


def share(value: float, error: float = 0.0) -> str:
    """Return a probability in percent; only exactly 1 and 0 are shown as 100 % and 0 %.

    The decimal is left out if the standard `error` of a simulated probability exceeds it.
    """
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    if error > MAX_ERROR:
        return "> 99%" if value > 0.995 else "< 1%" if value < 0.005 else f"{value:.0%}"
    if value > MAX_ROUNDED or value < 1 - MAX_ROUNDED:
        return "> 99.9%" if value > 0.5 else "< 0.1%"
    return f"{value:.1%}"


def share_range(low: float, high: float, error: float = 0.0) -> str:
    """Return a range of probabilities in percent; one number if both ends are written alike."""
    first, last = share(low, error), share(high, error)
    if first == last:
        return first
    if first[0] not in "<>" and last[0] not in "<>":
        first = first.removesuffix("%")
    return f"{first}–{last}"


def belief_table(
    names: Sequence[str],
    states: States,
    columns: Mapping[str, Beliefs],
    scales: Mapping[str, Scale],
    intervals: Ends | None = None,
) -> pd.DataFrame:
    """Return one column per case: probabilities of levels, and mean and sd of numeric variables.

    For normal scores, mean and sd are replaced by the table's values at the mean and one sd to each side. Two columns
    hold the limits of `intervals`, if there are any: those of probabilities and means in the first case.
    """
    rows: list[list] = []
    limits: list[list[float]] = []
    for j, name in enumerate(names):
        scale = scales.get(name, PLAIN)
        if states[j]:
            own = {state: [float(case[name][k]) for case in columns.values()] for k, state in enumerate(states[j])}
        elif scale.by_ranks:
            at = [around(case[name].mean, math.sqrt(case[name].variance), scale) for case in columns.values()]
            own = dict(zip(AROUND, zip(*at, strict=True), strict=True))
        else:
            own = {
                "mean": [case[name].mean for case in columns.values()],
                "sd": [math.sqrt(case[name].variance) for case in columns.values()],
            }
        rows += [[name, level, *numbers] for level, numbers in own.items()]
        if intervals is not None:
            ends = np.column_stack(intervals[name])
            of_level = dict(zip(states[j] or (AROUND[1] if scale.by_ranks else "mean",), ends, strict=True))
            limits += [_limits(of_level.get(level), PLAIN if states[j] else scale) for level in own]
    table = pd.DataFrame(rows, columns=["variable", "level", *columns])
    return table if intervals is None else table.assign(**dict(zip(LIMITS, np.array(limits).T, strict=True)))


def _limits(ends: np.ndarray | None, scale: Scale) -> list[float]:
    """Return the limits of an interval in the units of the table; NaN if there is none."""
    return [math.nan, math.nan] if ends is None else [float(scale.in_table(end)) for end in ends]
