"""Numbers and sentences of a network query, in the units of the user's table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from learners.common.sentences import Phrase, Quoted, only_if, phrase, say
from learners.common.wording import format_number
from learners.data.completed_data import ASSUMED, describe_filling
from learners.data.dataset import Dataset
from learners.data.plan.scales import PLAIN, Scale
from learners.networks.inference.answers import Beliefs
from learners.networks.inference.evidence import States

from ..text import as_sentence, format_p, format_probability, format_value

AROUND = ("at mean - sd", "at the mean", "at mean + sd")  # labels of the values returned by `around`
REACH = 2.0  # standard deviations that a normal curve reaches: 2.3 % lie beyond
SMALL = -20.0  # ln of the probability below which it is formatted from its logarithm
ALIKE = "Only interventions depend on the choice."
NEARLY = "Answers to interventions depend on the choice; answers to observations differ only slightly."
LEFT_OUT = (
    "Each variable is fitted to the rows that have it and its parents. This is right only if cells are missing "
    "completely at random."
)


def number_text(value: float, scale: Scale) -> str:
    """Return a number in the units of the table."""
    return format_value(float(scale.in_table(value)))


def probability_text(log_probability: float) -> str:
    """Return a probability given by its natural logarithm, even where it underflows: 0.25, 1.0e-512."""
    if log_probability < SMALL:
        return format_p(log_probability)
    return format_probability(math.exp(log_probability))


def around(mean: float, sd: float, scale: Scale) -> tuple[float, float, float]:
    """Return the table's values at mean - sd, mean and mean + sd."""
    return tuple(float(scale.in_table(value)) for value in (mean - sd, mean, mean + sd))


def moments_text(mean: float, sd: float, scale: Scale) -> str:
    """Return "mean ± sd"; for normal scores, the values of the table at these three points."""
    if not scale.by_ranks:
        return f"{format_value(mean)} ± {format_value(float(f'{sd:.3g}'))}"
    low, middle, high = map(format_value, around(mean, sd, scale))
    return f"{middle} [{low}, {high}]"


def mean_range_text(low: float, high: float, alone: str, scale: Scale) -> str:
    """Return a range of means; `alone`, the text of one network, if both ends are written alike."""
    first, last = number_text(low, scale), number_text(high, scale)
    return alone if first == last else f"mean {first} – {last}"


def range_sentence(n: int, *, complete: bool) -> Phrase:
    """State that numbers after an intervention are ranges over the DAGs of a class.

    Parameters
    ----------
    n : int
        Number of sets of parents of the set variables that were tried.
    complete : bool
        True if the class has no others.
    """
    template = (
        "Numbers are ranges over the {n} possible parent sets of the intervened variables. Bars show the fitted DAG."
    )
    if not complete:
        template = (
            "Numbers are ranges over {n} parent sets of the intervened variables; there are more. "
            "Bars show the fitted DAG."
        )
    return phrase(template, n=n)


def scales_sentence(names: Sequence[str], scales: Mapping[str, Scale]) -> str:
    """Return the units of the variables, and a note on normal scores, or ""."""
    ranked = [name for name in names if scales.get(name, PLAIN).by_ranks]
    sentences = [f"{name}: {scales[name].unit}." for name in names if name in scales and scales[name].unit]
    if ranked:
        sentences.append(
            f"In the units of the table: {', '.join(ranked)}. Shown are the median and, in brackets, the range of "
            "about two thirds of the cases."
        )
    return " ".join(sentences)


def error_sentence(now: Beliefs, names: Sequence[str], states: States) -> str:
    """Return the Monte Carlo error of an answer; errors of means are in standard deviations."""
    shares = [now.error[name] for name, levels in zip(names, states, strict=True) if levels and name in now.error]
    spreads = [
        now.error[name] / math.sqrt(now[name].variance)
        for name, levels in zip(names, states, strict=True)
        if not levels and now.error.get(name) and now[name].variance > 0
    ]
    errors = [f"{format_number(100 * max(shares, default=0))} percentage points"] if shares else []
    errors += [f"{format_number(max(spreads))} standard deviations for means"] if spreads else []
    largest = f"; standard error of the simulation at most {' and '.join(errors)}" if errors else ""
    return f"Mixed data: simulated by {now.effective:,.0f} draws{largest}."


def whisker_sentence(*, edited: bool = False) -> Phrase:
    """Explain the intervals of a fitted network; `edited` if some tables were changed by hand."""
    return phrase(
        "Short lines: 95% intervals, if the graph is right.{more}",
        more=only_if(edited, say(" Edited tables count as exact.")),
    )


def below_zero(before: Beliefs, dataset: Dataset, scales: Mapping[str, Scale]) -> list[str]:
    """Return the numeric columns without negative numbers whose fitted normal curve reaches below 0.

    Parameters
    ----------
    before : Beliefs
        Without evidence.
    dataset : Dataset
        The data that the network was fitted to.
    scales : mapping of str to Scale
    """
    found = []
    for j, name in enumerate(dataset.names):
        if dataset.kinds[j] != "continuous" or scales.get(name, PLAIN).by_ranks:
            continue
        mean, variance = before[name]
        if np.nanmin(dataset.values[:, dataset.place[j]]) >= 0.0 and mean < REACH * math.sqrt(variance):
            found.append(name)
    return found


def below_zero_sentence(names: Sequence[str]) -> Phrase:
    """State that normal curves reach numbers that these columns do not have."""
    return phrase("Normal curves are fitted; those of {columns} reach below 0, the data do not.", columns=Quoted(names))


def in_table(frame: pd.DataFrame, scales: Mapping[str, Scale]) -> pd.DataFrame:
    """Convert columns of numbers from the units of the data to those of the table."""
    return frame.assign(**{name: scales[name].in_table(frame[name]) for name in frame.columns if name in scales})


def predicted(found: pd.DataFrame, scale: Scale) -> pd.DataFrame:
    """Return predictions as `mean` and `sd`; for normal scores the values of the table at `AROUND`."""
    if not scale.by_ranks:
        return found
    mean, sd = found["mean"], found["sd"]
    at = dict(zip(AROUND, (mean - sd, mean, mean + sd), strict=True))
    return pd.DataFrame({label: scale.in_table(values) for label, values in at.items()}, index=found.index)


def member_sentence(dataset: Dataset) -> str:
    """State that one DAG of the class was fitted, and whether the others would give the same answers."""
    others = ALIKE if dataset.complete and dataset.kind != "mixed" else NEARLY
    return f"One DAG of the equivalence class is fitted. {others}"


def missing_sentence(dataset: Dataset, tables: int) -> str:
    """Return a sentence on how a fit treated missing cells; empty if there were none.

    Parameters
    ----------
    dataset : Dataset
    tables : int
        Imputed tables over which the fit is averaged; 0 if rows were left out.
    """
    if dataset.complete:
        return ""
    if not tables:
        return LEFT_OUT
    missing = int(dataset.n_missing.sum())
    return " ".join(
        as_sentence(part)
        for part in (
            describe_filling(missing, missing / (dataset.n_rows * dataset.p)),
            f"parameters are means over {tables:,} imputed tables, and intervals include the uncertainty of the "
            "imputation",
            ASSUMED,
        )
    )
