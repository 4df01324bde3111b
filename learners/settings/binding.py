"""From a data set and some settings to the test or the score that a learner is given."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

from ..data.dataset import Dataset
from ..independence import G2, CITest, DegenerateGaussian, FisherZ, PermutationG2, Regression, ShrinkageMI
from ..results.result import LearnResult
from ..scores import BIC, BDeu, DegenerateBIC, FamilyScore, GaussianBIC
from .reference import defaults_of
from .sharing import Alone

MANY_VARIABLES = 15  # where extended BIC begins to gain, see benchmarks/README.md


def ci_test_for(
    dataset: Dataset, *, test: str = "g2", dof: str = "adjusted", rows_per_cell: float = 0.0, seed: int = 0
) -> CITest:
    """The test asked for; Fisher's z for numbers, and `dg` for both kinds unless regression is asked for."""
    if dataset.kind == "mixed":
        return (Regression if test == "regression" else DegenerateGaussian)(dataset)
    if dataset.kind == "continuous":
        return FisherZ(dataset)
    if test in ("permutation", "semi-parametric"):
        semi_parametric = test == "semi-parametric"
        return PermutationG2(dataset, dof=dof, rows_per_cell=rows_per_cell, semi_parametric=semi_parametric, seed=seed)
    return (ShrinkageMI if test == "shrinkage" else G2)(dataset, dof=dof, rows_per_cell=rows_per_cell)


def score_for(
    dataset: Dataset,
    *,
    score: str | None = None,
    ess: float = 1.0,
    penalty: float = 1.0,
    edge_price: float | None = 0.0,
) -> FamilyScore:
    """The score that fits the kind of data: BIC or BDeu, of numbers or both kinds BIC or extended BIC.

    By default BIC, of numbers and both kinds the extended one from `MANY_VARIABLES` on. Categorical rows are merged
    where few differ.
    """
    if dataset.kind != "categorical":
        of_kind = DegenerateBIC if dataset.kind == "mixed" else GaussianBIC
        return of_kind(dataset, penalty=penalty, extended=is_extended(score, dataset.p))
    dataset = dataset.compact()
    return BDeu(dataset, ess=ess, edge_price=edge_price) if score == "bdeu" else BIC(dataset, penalty=penalty)


def is_extended(score: str | None, p: int) -> bool:
    """Whether the score of numbers that has this name is the extended BIC, for so many variables."""
    return score == "ebic" or (score != "bic" and p >= MANY_VARIABLES)


@dataclasses.dataclass(frozen=True, eq=False)
class BICs:
    """BIC of a data set at any penalty.

    Attributes
    ----------
    dataset : Dataset
    """

    dataset: Dataset

    def at(self, penalty: float) -> FamilyScore:
        """BIC with this factor of the price of a parameter."""
        return score_for(self.dataset, score="bic", penalty=penalty)

    @property
    def usual(self) -> float:
        """What learners charge by default, as a factor of BIC."""
        n, p = self.dataset.n, self.dataset.p
        is_dearer = self.dataset.kind != "categorical" and is_extended(None, p) and n > 1
        return 1.0 + 2.0 * math.log(p) / math.log(n) if is_dearer else 1.0


def the_data(dataset: Dataset) -> Dataset:
    """The data set itself."""
    return dataset


def call(
    function: Callable[..., Any],
    needs: tuple[Callable[..., Any], ...],
    dataset: Dataset,
    settings: Mapping[str, Any],
    context: Mapping[str, Any],
    sharing: Alone | None = None,
) -> Any:
    """``function(*needs, **settings)``.

    Parameters
    ----------
    function : callable
    needs : tuple of callable
        Each is called with the data set and those settings that its signature names.
    dataset : Dataset
    settings : mapping
        All of them; the function takes what no need has taken.
    context : mapping
        Knowledge, listener and seed, for those whose signature names them.
    sharing : Alone, optional
        Shared by several runs.
    """
    sharing, left = sharing or Alone(), dict(settings)
    given, taken = [], {}
    for need in needs:
        own = {name: left.pop(name) for name in defaults_of(need) if name in left}
        given.append(sharing.bound(need, dataset, own, _known(need, context)))
        taken |= own
    context = {**context, "once": partial(_once, sharing, (id(dataset), *sorted(taken.items())))}
    answer = function(*given, **left, **_known(function, context))
    return _with_notes(answer, next((one for one in given if isinstance(one, CITest)), None), given)


def _once(sharing: Alone, bound: Hashable, key: Hashable, compute: Callable[[], Any]) -> Any:
    """A stage of a function whose needs were bound so."""
    return sharing.once((bound, key), compute)


def _with_notes(answer: Any, ci_test: CITest | None, given: list[Any]) -> Any:
    """The result, with what its test has to tell and the rows that tests and scores had."""
    if not isinstance(answer, LearnResult):
        return answer
    rows = next((one.rows_used for one in given if getattr(one, "rows_used", None)), answer.rows_used)
    told = ci_test.warnings if ci_test else ()
    if not told and rows == answer.rows_used:
        return answer
    return dataclasses.replace(answer, rows_used=rows, warnings=(*answer.warnings, *told))


def _known(function: Callable[..., Any], context: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in context.items() if name in defaults_of(function)}
