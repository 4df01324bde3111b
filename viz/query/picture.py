"""What the picture of a network that is asked is given, and its numbers as words and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from learners.data.scales import PLAIN, Scale
from learners.networks.inference.answers import Beliefs
from learners.networks.inference.evidence import Evidence, States

from .texts import AROUND, around, moments_text, number_text

FOLDER = Path(__file__).parent
SPREAD = 4.0  # standard deviations around the mean that a slider spans
MOST_PERCENT = 0.9995  # beyond, and below its opposite, a share is not rounded to 100 % or 0 %


def picture(
    network: Any,
    positions: np.ndarray,
    shown: Iterable[int],
    now: Beliefs,
    before: Beliefs,
    held: Beliefs | None,
    scales: Mapping[str, Scale],
) -> dict[str, Any]:
    """Nodes and edges for `query.js`; `before` are the beliefs without evidence, `held` those of a case held aside.

    A slider and its curve are in the numbers of the data, words in those of the table.
    """
    shown = sorted(shown)
    nodes = [
        {
            "id": j,
            "name": network.names[j],
            "x": float(positions[j, 0]),
            "y": float(positions[j, 1]),
            "states": list(network.states[j]),
            **_distribution(network, j, now, before, held, scales),
        }
        for j in shown
    ]
    edges = [[i, j] for i, j in network.dag.directed_edges() if i in set(shown) and j in set(shown)]
    return {"nodes": nodes, "edges": edges}


def marked(
    data: dict[str, Any], evidence: Evidence, done: Mapping[int, int | float], scales: Mapping[str, Scale]
) -> dict[str, Any]:
    """The picture with what is known of each node, and what is `done`: set from outside."""
    for node in data["nodes"]:
        node["known"] = done.get(node["id"], evidence.known.get(node["id"]))
        node["likely"] = node["id"] in evidence.likely
        node["done"] = node["id"] in done
        if node["done"] and not node["states"]:
            node |= {"sd": 0.0, "texts": [_known_number(node["known"], scales.get(node["name"], PLAIN))]}
    return data


def _distribution(
    network: Any, j: int, now: Beliefs, before: Beliefs, held: Beliefs | None, scales: Mapping[str, Scale]
) -> dict[str, Any]:
    name = network.names[j]
    if network.states[j]:
        return _bars(name, now, held)
    return _curve(name, now, before, held, scales.get(name, PLAIN))


def _bars(name: str, now: Beliefs, held: Beliefs | None) -> dict[str, Any]:
    chances = now[name].tolist()
    return {
        "chances": chances,
        "texts": [share(value) for value in chances],
        "reference": None if held is None else held[name].tolist(),
    }


def _curve(name: str, now: Beliefs, before: Beliefs, held: Beliefs | None, scale: Scale) -> dict[str, Any]:
    (mean, variance), (middle, whole) = now[name], before[name]
    sd, reach = math.sqrt(variance), SPREAD * math.sqrt(whole)
    return {
        "mean": mean,
        "sd": sd,
        "low": min(middle - reach, mean),
        "high": max(middle + reach, mean),
        "unit": scale.unit,
        "texts": [moments_text(mean, sd, scale) if sd else _known_number(mean, scale)],
        "reference": None if held is None else [held[name].mean, math.sqrt(held[name].variance)],
    }


def _known_number(value: float, scale: Scale) -> str:
    return f"{number_text(value, scale)}, take back"


def share(value: float) -> str:
    """A probability in percent; only what is certain is called 100 % or 0 %."""
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    if value > MOST_PERCENT or value < 1 - MOST_PERCENT:
        return "> 99.9%" if value > 0.5 else "< 0.1%"
    return f"{value:.1%}"


def belief_table(
    names: Sequence[str], states: States, columns: Mapping[str, Beliefs], scales: Mapping[str, Scale]
) -> pd.DataFrame:
    """A row for each level, with its probability, or for each number, with mean and sd: a column a case.

    Where the data hold normal scores: the numbers of the table at their mean, and one sd to each side.
    """
    rows = []
    for j, name in enumerate(names):
        scale = scales.get(name, PLAIN)
        if states[j]:
            own = {state: [float(one[name][k]) for one in columns.values()] for k, state in enumerate(states[j])}
        elif scale.by_ranks:
            at = [around(one[name].mean, math.sqrt(one[name].variance), scale) for one in columns.values()]
            own = dict(zip(AROUND, zip(*at, strict=True), strict=True))
        else:
            own = {
                "mean": [one[name].mean for one in columns.values()],
                "sd": [math.sqrt(one[name].variance) for one in columns.values()],
            }
        rows += [[name, level, *numbers] for level, numbers in own.items()]
    return pd.DataFrame(rows, columns=["variable", "level", *columns])
