"""The graphs along a parameter for the graph component: one step per value, sent as changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.common.sentences import Count, Number, Phrase, percent, phrase, say
from learners.common.wording import format_setting
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.settings.parameter import Parameter
from learners.sweeping.changes import Changes, changes
from learners.sweeping.curves import Curve, sparsest_position
from learners.sweeping.plateaus import Plateau, longest_plateau, plateaus
from learners.sweeping.survival import ABSENT, BACKWARD, FORWARD, MISSING, OPEN, survival

from ..graph_data import EdgeData, GraphViewData, Jump, WhatIf, nodes
from ..text import MAX_DIGITS, decimals_apart
from ..weak_evidence import with_doubts_of_reference

MARKS = {OPEN: "undirected", FORWARD: "forward", BACKWARD: "backward"}
MAX_DRAWN = 8_000  # maximum number of drawn pairs; the most robust are kept
NEGLIGIBLE = 1e-9  # difference of held-out log-likelihoods in nats per row; smaller ones are rounding errors
CURVES = {
    "edges": "edges",
    "score": "BIC per row",
    "held_out": "held-out log-likelihood per row",
    "shd": "SHD to the truth",
}
BEST = {
    "score": ("Best score", "the value whose graph has the best BIC on these rows"),
    "held_out": (
        "Best held-out",
        "the sparsest graph that predicts the held-out fifth of the rows within one standard error of the best",
    ),
}
CAUTION = {"held_out": "False edges barely worsen predictions, so some of its edges may be noise."}
DIRECTED = (
    "directed: same direction in all graphs equivalent to the one at this value. Only the directions of this run are "
    "judged"
)


def value_text(parameter: Parameter, value: Any) -> str:
    """Write a value of a parameter as the form shows it."""
    if value is None or isinstance(value, bool) or value in parameter.choices:
        return parameter.word(value)
    return format_setting(value) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Axis:
    """The values that the slider moves through.

    Attributes
    ----------
    name, label : str
        Name in files, and label on screen.
    values : tuple
        Values whose scale determines the width of bands, see `plateaus.places`.
    texts : tuple of str
        Text of each value.
    self_explanatory : bool
        True if the texts are clear without the label, such as "without age".
    left_out : tuple of int or None
        Variable that each table lacks, None if it lacks none; empty if all tables have the same columns.
    """

    name: str
    label: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    self_explanatory: bool = False
    left_out: tuple[int | None, ...] = ()

    @classmethod
    def of_parameter(cls, parameter: Parameter, values: Sequence[Any]) -> Axis:
        """Make an axis of values of a parameter."""
        texts = tuple(value_text(parameter, value) for value in values)
        return cls(parameter.name, parameter.label, tuple(values), texts)

    @classmethod
    def of_texts(cls, name: str, label: str, texts: Sequence[str], left_out: Sequence[int | None] = ()) -> Axis:
        """Make an axis without a scale, of self-explanatory texts."""
        return cls(name, label, tuple(texts), tuple(texts), self_explanatory=True, left_out=tuple(left_out))

    def lacking(self, *positions: int) -> list[int]:
        """Return the variables that the tables at some of the positions lack."""
        return [k for k in (self.left_out[at] for at in positions) if k is not None] if self.left_out else []


def changes_between(axis: Axis, graphs: Sequence[PDAG], before: int, after: int) -> Changes:
    """Return the changes from one position to another, apart from edges of variables that either table lacks."""
    gone, compared = axis.lacking(before, after), []
    for graph in (graphs[before], graphs[after]):
        amat = graph.amat.copy()
        amat[gone] = amat[:, gone] = False
        compared.append(PDAG(amat))
    return changes(*compared)


def left_out_sentences(names: Sequence[str], column: str, found: Changes, most: int) -> list[Phrase]:
    """State which edges exist only with a column or only without it, and what can explain it.

    Parameters
    ----------
    names : sequence of str
    column : str
        The column that the second of the compared tables lacks.
    found : Changes
        From the graph with the column to the one without.
    most : int
        Maximum number of pairs to name.
    """
    texts = {
        "Only with {column} in the table: {pairs}. {column} may be a common effect of the two, or share a hidden cause "
        "with one of them.": found.fewer,
        "Only without {column}: {pairs}. {column} can be a common cause of the two, or lie between them.": found.more,
        "Direction differs without {column}: {pairs}.": found.turned,
    }
    return [
        phrase(text, column=column, pairs=_listed_pairs(names, pairs, most)) for text, pairs in texts.items() if pairs
    ]


def _listed_pairs(names: Sequence[str], pairs: Sequence[tuple[int, int]], most: int) -> str:
    listed = ", ".join(f"{names[i]} — {names[j]}" for i, j in pairs[:most])
    return f"{listed}, …" if len(pairs) > most else listed


def strip_view(
    axis: Axis,
    graphs: Sequence[PDAG | None],
    base: int,
    names: Sequence[str],
    positions: np.ndarray,
    curves: Sequence[Curve] = (),
    shown: int | None = None,
    reference: LearnResult | None = None,
) -> GraphViewData:
    """Return the data of the graph component: one step per value, with the differences from the base marked.

    Parameters
    ----------
    axis : Axis
        Axis with k values.
    graphs : sequence of k PDAG or None
        None for a value without a result yet.
    base : int
        Position of the value that the others are compared with.
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    curves : sequence of Curve
        Drawn above the slider.
    shown : int, optional
        Position that is shown first. Default: the base.
    reference : LearnResult, optional
        Run of the same variables whose uncertain directions are marked wherever a graph has them.
    """
    bands, texts, first = plateaus(graphs), list(axis.texts), base if shown is None else shown
    data: GraphViewData = {
        "nodes": nodes(names, positions),
        "edges": edges_along(graphs),
        "steps": {
            "count": len(texts),
            "offset": 0,
            "axis_label": "" if axis.self_explanatory else axis.label,
            "ticks": texts,
            "series": [
                {
                    "label": phrase(CURVES[curve.name]),
                    "values": [_finite(value) for value in curve.values.tolist()],
                    "decimals": (decimals_apart(curve.values.tolist()) or 0) if curve.name in BEST else 0,
                }
                for curve in curves
            ],
            "curve": 0,
            "choice": first,
            "choice_label": phrase(
                "This run: {value}" if axis.self_explanatory else "This run's {value}", value=texts[first]
            ),
            "events": sorted({band.first for band in bands} | {0, base, len(texts) - 1}),
            "what_if": _what_if(axis, graphs, bands, base, curves),
        },
        "directed": phrase(DIRECTED),
        "file_name": f"edgewise_{axis.name}",
    }
    return data if reference is None else with_doubts_of_reference(data, reference)


def _finite(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.{MAX_DIGITS}g}")


def edges_along(graphs: Sequence[PDAG | None]) -> list[EdgeData]:
    """Return every pair that is adjacent at some value, the most robust first."""
    found = survival(graphs)
    drawn = zip(found.pairs[:MAX_DRAWN].tolist(), found.marks, found.shares.tolist(), strict=False)
    return [
        {
            "id": k,
            "a": i,
            "b": j,
            "spans": _spans(marks),
            "strength_text": phrase("present in {share} of the runs", share=percent(share)),
        }
        for k, ((i, j), marks, share) in enumerate(drawn)
    ]


def _spans(marks: np.ndarray) -> list[list]:
    """Return ``[from, to, mark]`` of each interval of equal marks at which the pair is adjacent."""
    ends = np.flatnonzero(np.diff(marks)) + 1
    begins = [0, *ends.tolist()]
    stretches = zip(begins, [*ends.tolist(), len(marks)], marks[begins].tolist(), strict=True)
    return [[begin, end, MARKS[mark]] for begin, end, mark in stretches if mark not in (ABSENT, MISSING)]


def _what_if(
    axis: Axis,
    graphs: Sequence[PDAG | None],
    bands: Sequence[Plateau],
    base: int,
    curves: Sequence[Curve],
) -> WhatIf:
    missing, texts = [graph is None for graph in graphs], axis.texts
    jumps: list[Jump] = []
    # A band at an end of the values ends there only because the sweep does.
    inner = [band for band in bands if band.first > 0 and band.last < len(texts) - 1]
    longest = longest_plateau(inner, axis.values)
    if longest and len(longest) > 1:
        help_ = phrase(
            "the middle of the widest range without a change in the graph: {low} to {high}. It does not say which "
            "graph is right",
            low=texts[longest.first],
            high=texts[longest.last],
        )
        jumps.append({"label": phrase("Longest plateau"), "step": longest.middle, "help": help_})
    for name, best in _chosen(graphs, curves).items():
        label, help_ = BEST[name]
        help_ = phrase("{reason}: {value}", reason=say(help_), value=texts[best])
        if name in CAUTION:
            help_ = phrase("{help}. {caution}", help=help_.sentence, caution=say(CAUTION[name]))
        jumps.append({"label": phrase(label), "step": best, "help": help_})
    return {
        "base": base,
        "bands": [[band.first, band.last + 1] for band in bands],
        "missing": [[k, k + 1] for k, gone in enumerate(missing) if gone],
        "jumps": jumps,
        "left_out": [-1 if k is None else k for k in axis.left_out],
    }


def _chosen(graphs: Sequence[PDAG | None], curves: Sequence[Curve]) -> dict[str, int]:
    """Return the position that each criterion chooses."""
    edges = [math.nan if graph is None else graph.n_edges for graph in graphs]
    chosen = {curve.name: sparsest_position(curve, edges) for curve in curves if curve.name in BEST}
    return {name: position for name, position in chosen.items() if position is not None}


def criteria_sentences(axis: Axis, graphs: Sequence[PDAG | None], curves: Sequence[Curve]) -> list[Phrase]:
    """Compare the values that BIC and the held-out rows choose, with the standard error of the difference."""
    chosen, by_name = _chosen(graphs, curves), {curve.name: curve for curve in curves}
    if not {"score", "held_out"} <= chosen.keys():
        return []
    texts = axis.texts
    score, aside, curve = chosen["score"], chosen["held_out"], by_name["held_out"]
    best = curve.best_position()
    if graphs[score] == graphs[aside]:
        first = phrase("BIC and held-out rows choose the same graph, at {value}.", value=texts[aside])
    else:
        first = phrase("BIC chooses {value}, held-out rows {other}.", value=texts[score], other=texts[aside])
    sentences = [first]
    # The value that is compared with the best one on held-out rows: theirs, or that of BIC.
    other = aside if aside != best else score
    if curve.errors is None or other == best or not np.isfinite(curve.values[other]):
        return sentences
    behind, error = curve.values[best] - curve.values[other], curve.errors[other]
    numbers = {"gain": Number(behind), "error": Number(error), "best": texts[best], "other": texts[other]}
    if max(behind, error) < NEGLIGIBLE:
        words = "On held-out rows, {best} and {other} predict equally well."
    elif behind <= error:
        words = "Held-out rows do not distinguish {best} from {other}: {gain} ± {error} nats a row in favour of {best}."
    else:
        words = "Held-out rows favour {best} over {other} by {gain} ± {error} nats a row."
    return [*sentences, phrase(words, **numbers)]


def progress_sentence(graphs: Sequence[PDAG | None]) -> Phrase:
    """Return a sentence with the number of finished runs, one for each value or table."""
    done = sum(graph is not None for graph in graphs)
    return phrase("{done} of {runs} done", done=done, runs=Count(len(graphs), "run"))
