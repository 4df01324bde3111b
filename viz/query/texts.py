"""Numbers that a network speaks of, as the table has them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from learners.data.dataset import Dataset
from learners.data.scales import PLAIN, Scale
from learners.graphs.graph import PDAG
from learners.networks.inference.answers import Beliefs
from learners.networks.inference.evidence import States

from ..text import count, format_number

AROUND = ("at mean - sd", "at the mean", "at mean + sd")  # of normal scores
ALIKE = "All of them give the same probabilities under the same evidence."
OF_BOTH_KINDS = "With columns of both kinds the others give nearly the same probabilities: their regressions differ."
WITH_HOLES = "As cells are missing, the others give nearly the same probabilities: each counts other rows."


def number_text(value: float, scale: Scale) -> str:
    """One number."""
    return format_number(float(scale.in_table(value)))


def around(mean: float, sd: float, scale: Scale) -> tuple[float, float, float]:
    """The numbers of the table at `AROUND`."""
    return tuple(float(scale.in_table(value)) for value in (mean - sd, mean, mean + sd))


def moments_text(mean: float, sd: float, scale: Scale) -> str:
    """Mean and standard deviation; of normal scores the numbers there."""
    if not scale.by_ranks:
        return f"{format_number(mean)} ± {format_number(float(f'{sd:.3g}'))}"
    low, middle, high = map(format_number, around(mean, sd, scale))
    return f"{middle} ({low} to {high})"


def scales_sentence(names: Sequence[str], scales: Mapping[str, Scale]) -> str:
    """What the numbers on screen are, where that needs saying."""
    ranked = [name for name in names if scales.get(name, PLAIN).by_ranks]
    told = [f"{name}: {scales[name].unit}." for name in names if name in scales and scales[name].unit]
    if ranked:
        told.append(
            f"{', '.join(ranked)}: learnt as normal scores, shown as the numbers of the table at their mean and, in "
            "brackets, one standard deviation to each side."
        )
    return " ".join(told)


def error_sentence(now: Beliefs, names: Sequence[str], states: States) -> str:
    """How exact an answer is that was estimated from draws; a mean's error in units of its spread."""
    shares = [now.error[name] for name, levels in zip(names, states, strict=True) if levels and name in now.error]
    spreads = [
        now.error[name] / math.sqrt(now[name].variance)
        for name, levels in zip(names, states, strict=True)
        if not levels and now.error.get(name) and now[name].variance > 0
    ]
    told = [f"{max(shares, default=0):.2g} of a probability"] if shares else []
    told += [f"{max(spreads):.2g} standard deviations of a mean"] if spreads else []
    largest = f"; the largest standard error is {' and '.join(told)}" if told else ""
    return f"Columns of both kinds: estimated from draws worth {now.effective:,.0f} independent ones{largest}."


def in_table(frame: pd.DataFrame, scales: Mapping[str, Scale]) -> pd.DataFrame:
    """Columns by name, of numbers of the data, as numbers of the table."""
    return frame.assign(**{name: scales[name].in_table(frame[name]) for name in frame.columns if name in scales})


def predicted(found: pd.DataFrame, scale: Scale) -> pd.DataFrame:
    """Predictions of a number, in `mean` and `sd`; of normal scores the numbers at `AROUND`."""
    if not scale.by_ranks:
        return found
    mean, sd = found["mean"], found["sd"]
    at = dict(zip(AROUND, (mean - sd, mean, mean + sd), strict=True))
    return pd.DataFrame({label: scale.in_table(values) for label, values in at.items()}, index=found.index)


def member_sentence(graph: PDAG, dataset: Dataset) -> str:
    """That one DAG of a class was fitted, and whether the others would have given the same answers."""
    told = WITH_HOLES if not dataset.complete else OF_BOTH_KINDS if dataset.kind == "mixed" else ALIKE
    n = count(len(graph.undirected_edges()), "direction")
    return f"The graph leaves {n} open: one DAG of those that it stands for is drawn and fitted. {told}"
