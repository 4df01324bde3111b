"""Select the score for a data set and the settings of a learner; import no other score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..data.completed_data import completed_tables
from ..data.dataset import Dataset
from ..data.level_ranks import with_ranks
from ..settings.reference import Reference

if TYPE_CHECKING:
    from .score import FamilyScore

BasisBIC = Reference("scores.basis_bic", "BasisBIC")
BDeu = Reference("scores.bdeu", "BDeu")
BGe = Reference("scores.bge", "BGe")
default_edge_penalty = Reference("scores.bge", "default_edge_penalty")
BIC = Reference("scores.bic", "BIC")
DegenerateBIC = Reference("scores.degenerate_bic", "DegenerateBIC")
GaussianBIC = Reference("scores.gaussian_bic", "GaussianBIC")
MANY_VARIABLES = 15  # number of variables from which extended BIC is more accurate than BIC, see benchmarks/README.md


def score_for(
    dataset: Dataset,
    *,
    score: str | None = None,
    ess: float = 1.0,
    penalty: float = 1.0,
    edge_penalty: float | None = 0.0,
) -> FamilyScore:
    """Return the requested score, bound to the data: BIC or BDeu; BIC or extended BIC for continuous and mixed data.

    The default is BIC, but extended BIC for continuous and mixed data with at least `MANY_VARIABLES` variables. Rows of
    categorical data are merged if few are distinct. "ranks" scores categorical data as continuous or mixed data:
    ordered levels and pairs of levels count by their ranks (`with_ranks`), other levels as indicators. "basis" is
    `BasisBIC` for continuous and mixed data, extended as the default is.
    """
    if dataset.kind != "categorical":
        return _score_of_numbers(dataset, score, penalty)
    dataset = completed_tables(dataset).compact()
    if score == "ranks":
        return _score_of_numbers(with_ranks(dataset), None, penalty)
    return BDeu(dataset, ess=ess, edge_penalty=edge_penalty) if score == "bdeu" else BIC(dataset, penalty=penalty)


def _score_of_numbers(dataset: Dataset, score: str | None, penalty: float) -> FamilyScore:
    of_kind = BasisBIC if score == "basis" else GaussianBIC if dataset.kind == "continuous" else DegenerateBIC
    return of_kind(dataset, penalty=penalty, extended=is_extended(score, dataset.p))


def tree_score_for(dataset: Dataset, *, ess: float = 1.0) -> FamilyScore:
    """Return the score of the trees of B-RAI, bound to the data: BDeu, BGe (continuous data), or BIC (mixed data).

    Continuous data with missing cells get BIC, which can score each family on the rows that have its columns.
    """
    if dataset.kind == "categorical":
        return score_for(dataset, score="bdeu", ess=ess)
    return BGe(dataset) if dataset.kind == "continuous" and dataset.complete else score_for(dataset, score="bic")


def is_extended(score: str | None, p: int) -> bool:
    """Return True if the score of this name is extended BIC for `p` continuous or mixed variables."""
    return score == "ebic" or (score != "bic" and p >= MANY_VARIABLES)


@dataclass(frozen=True, eq=False)
class DefaultScore:
    """The default score of searches, bound to a data set when it is first needed.

    Attributes
    ----------
    dataset : Dataset
    """

    dataset: Dataset

    def bound(self) -> FamilyScore:
        """Return BDeu with a penalty for each edge for categorical data; BIC or extended BIC for other data."""
        bdeu = {"score": "bdeu", "ess": 10.0, "edge_penalty": None} if self.dataset.kind == "categorical" else {}
        return score_for(self.dataset, **bdeu)


@dataclass(frozen=True, eq=False)
class PolishScore(DefaultScore):
    """The score of B-RAI's polish, bound to a data set when it is first needed."""

    def bound(self) -> FamilyScore:
        """Return the default score, but for complete continuous data BGe with the edge penalty of order MCMC.

        With few rows its probabilities of edges are nearer to the truth, see benchmarks/README.md.
        """
        if self.dataset.kind != "continuous" or not self.dataset.complete:
            return super().bound()
        return BGe(self.dataset, edge_penalty=default_edge_penalty(self.dataset.n, self.dataset.p))


@dataclass(frozen=True, eq=False)
class BICs:
    """BIC of a data set at any penalty.

    Attributes
    ----------
    dataset : Dataset
    """

    dataset: Dataset

    def at(self, penalty: float) -> FamilyScore:
        """Return BIC with the penalty of a parameter multiplied by this factor."""
        return score_for(self.dataset, score="bic", penalty=penalty)

    @property
    def usual(self) -> float:
        """The default penalty of learners, as a multiple of BIC's penalty."""
        n, p = self.dataset.n, self.dataset.p
        is_larger = self.dataset.kind != "categorical" and is_extended(None, p) and n > 1
        return 1.0 + 2.0 * math.log(p) / math.log(n) if is_larger else 1.0
