"""Comparison of two results, which notebooks display as one picture with the explanations of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from ..common.errors import ParameterError
from ..common.other_programs import NotebookDisplay, drawing_module
from ..common.validation import validated
from ..data.dataset import Dataset
from ..evaluation.comparison import agreement, differences
from ..registry import LEARNERS
from ..results.result import LearnResult

Verdict = Literal["equal", "left_open", "contradictory", "only_a", "only_b"]
BOTH = "Both"  # name of the slider with the edges of both results
MAX_CHANGES = 3  # maximum number of parameters in the label of a result


@dataclass(frozen=True, eq=False)
class Comparison(NotebookDisplay):
    """Two results over the same variables, returned by `compare`. A notebook displays them as one picture.

    Attributes
    ----------
    a, b : LearnResult
    labels : pair of str
        Names of the two results.
    dataset : Dataset or None
        Data of both runs.
    """

    a: LearnResult
    b: LearnResult
    labels: tuple[str, str]
    dataset: Dataset | None = None

    @property
    def verdicts(self) -> dict[tuple[str, str], Verdict]:
        """The pairs that are adjacent in either graph, and how the graphs agree on them."""
        names, graphs, undirected = self.a.names, (self.a.graph, self.b.graph), self._undirected
        return {
            (names[i], names[j]): kind
            if kind in ("only_a", "only_b")
            else "equal"
            if (i, j) in undirected
            else agreement(graphs, i, j)[0]
            for (i, j), kind in differences(*graphs).items()
        }

    @property
    def _undirected(self) -> frozenset[tuple[int, int]]:
        return self.a.undirected_pairs | self.b.undirected_pairs

    @property
    def summary(self) -> str:
        """The numbers of equal and different edges, in one line."""
        found, (a, b) = Counter(self.verdicts.values()), self.labels
        words = {
            "equal": "equal", "only_a": f"in {a} only", "only_b": f"in {b} only",
            "contradictory": "contradictory", "left_open": "undetermined in one",
        }  # fmt: skip
        parts = [f"{found[kind]:,} {word}" for kind, word in words.items() if found[kind]]
        return f"{a} and {b}: {', '.join(parts) or 'no edge in either'}."

    def to_html(self) -> str:
        """Return the picture as one HTML file, with the replays of both runs and the explanations of the pairs."""
        return drawing_module("comparison_page").comparison_html(self)

    def _notebook_page(self) -> Comparison:
        return self


@validated
def compare(
    a: LearnResult, b: LearnResult, *, labels: tuple[str, str] | None = None, dataset: Dataset | None = None
) -> Comparison:
    """Compare two results: edges of either graph, and why they differ.

    Parameters
    ----------
    a, b : LearnResult
        Over the same variables, in the same order.
    labels : pair of str, optional
        Names of the results. Default: the learners, or the parameters that differ.
    dataset : Dataset, optional
        Data of both runs, for the explanations.

    Returns
    -------
    Comparison
        `verdicts` says how the graphs agree on each pair; `to_html` and `view` show them.

    Raises
    ------
    ParameterError
        If the results have different variables, or the labels are equal.

    Examples
    --------
    >>> from learners import compare, learn, load_sample
    >>> asia = load_sample("asia").dataset
    >>> found = compare(learn("pc", asia), learn("hc", asia))
    >>> found.summary
    'PC-stable and Hill climbing: 2 equal, 2 in Hill climbing only, 3 undetermined in one.'
    >>> found.verdicts["either", "xray"]
    'only_b'
    """
    if a.names != b.names:
        raise ParameterError(
            "both results must have the same variables, in the same order; learn both from one data set"
        )
    if dataset is not None and tuple(dataset.names) != a.names:
        raise ParameterError("dataset must have the variables of the results; pass the data set of the runs")
    labels = _labels(a, b) if labels is None else labels
    if len({*labels, BOTH}) != 3 or "" in labels:
        raise ParameterError(f"labels must be two different names, neither of them {BOTH!r}, got {labels!r}")
    return Comparison(a, b, (labels[0], labels[1]), dataset)


def _labels(a: LearnResult, b: LearnResult) -> tuple[str, str]:
    """Return the learners, or the parameters that differ, if these tell the results apart."""
    if a.method != b.method:
        return LEARNERS[a.method].label, LEARNERS[b.method].label
    changed = [name for name, value in a.params.items() if b.params.get(name, value) != value]
    if not 0 < len(changed) <= MAX_CHANGES:
        return "A", "B"
    texts = [", ".join(f"{name}={one.params[name]}" for name in changed) for one in (a, b)]
    return texts[0], texts[1]
