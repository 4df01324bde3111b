"""The gains and losses of score in explanations are those of a readable reference implementation."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest

from learners import learn, load_sample
from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.graphs.rules import MOVES
from tests.naive_scores import discrete_score

LOST = re.compile(
    r"Without it the final score would be ([\d.,]+) lower \(.*?\)\."
    r"( When it was last added, the score rose by [\d.,]+; other edges changed afterwards\.)?"
)
GAINED = re.compile(r"score ([+−][\d.,]+)\.")


def rows(n: int) -> Dataset:
    """Return the first rows of asia."""
    data = load_sample("asia").dataset
    return Dataset.from_codes(data.codes[:, :n], data.arity, data.names, data.levels)


def scorer(data: Dataset) -> Callable[[int, list[int]], float]:
    """Return the BIC of a family."""
    penalty = 0.5 * math.log(data.n)
    return lambda j, parents: discrete_score(
        data.codes, data.arity, np.ones(data.n, dtype=int), j, parents, penalty=penalty
    )


@pytest.mark.parametrize("key", ["hc", "ges"])
def test_gains_and_losses_shown_are_those_of_the_score(key: str) -> None:
    """All gains sum to the score of the graph; each loss is that of the edge, and a note explains another gain."""
    data = rows(600)
    score = scorer(data)
    result = learn(key, data, score="bic")
    dag = result.extra.dag
    gains = [event.statistic for event in result.trace if event.rule in MOVES]
    whole = sum(score(j, dag.parents(j)) - score(j, []) for j in range(data.p))
    assert sum(gains) == pytest.approx(whole)
    noted = []
    for i, j in dag.directed_edges():
        parents = dag.parents(j)
        lost = score(j, parents) - score(j, [k for k in parents if k != i])
        said = " ".join(explanation(result, (i, j)).sentences)
        shown, note = LOST.search(said).groups()
        assert float(shown.replace(",", "")) == pytest.approx(lost, rel=0.005)
        gained = float(GAINED.findall(said)[-1].replace(",", "").replace("−", "-"))
        assert bool(note) == (f"{gained:.3g}" != f"{float(shown.replace(',', '')):.3g}")
        noted.append(bool(note))
    assert set(noted) == {True, False}
