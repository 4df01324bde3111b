"""Select the conditional independence test for a data set and the settings of a learner; import no other test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..data.dataset import Dataset

if TYPE_CHECKING:
    from .ci_test import CITest
    from .information import InformationTest

MAX_ROWS_OF_TRENDS = 1_000


def ci_test_for(
    dataset: Dataset, *, test: str = "g2", dof: str = "adjusted", rows_per_cell: float = 0.0, seed: int = 0
) -> CITest:
    """Return the requested test, bound to the data.

    Continuous data get Fisher's z; mixed data get the degenerate Gaussian test unless `test` is "regression". Both get
    `BasisTest` if it is "basis". "g2" also tests for a trend if `looks_for_trends`.
    """
    if dataset.kind != "categorical" and test == "basis":
        from .basis_test import BasisTest

        return BasisTest(dataset)
    if dataset.kind == "continuous":
        from .fisher_z import FisherZ

        return FisherZ(dataset)
    if dataset.kind == "mixed" and test == "regression":
        from .regression import Regression

        return Regression(dataset)
    if dataset.kind == "mixed":
        from .degenerate_gaussian import DegenerateGaussian

        return DegenerateGaussian(dataset)
    settings = {"dof": dof, "rows_per_cell": rows_per_cell}
    if test == "g2" and looks_for_trends(dataset):
        from .ordered_g2 import OrderedG2

        return OrderedG2(dataset, **settings)
    if test == "g2":
        from .g2 import G2

        return G2(dataset, **settings)
    from .permutation_and_x2 import PearsonX2, PermutationG2, ShrinkageMI

    if test in ("permutation", "semi-parametric"):
        return PermutationG2(dataset, **settings, semi_parametric=test == "semi-parametric", seed=seed)
    return {"x2": PearsonX2, "shrinkage": ShrinkageMI}[test](dataset, **settings)


def looks_for_trends(dataset: Dataset) -> bool:
    """Return True if G² is accompanied by a test for a trend: levels have an order, and rows are few.

    With many rows G² finds the same edges, in less time (benchmarks/README.md).
    """
    return bool(dataset.ordered) and dataset.n <= MAX_ROWS_OF_TRENDS


def information_test_for(dataset: Dataset, *, dof: str = "plain") -> InformationTest:
    """Return the test that measures mutual information in bits, bound to the data.

    Categorical data get `MutualInformation`; continuous and mixed data get `GaussianInformation`.
    """
    if dataset.kind == "categorical":
        from .information import MutualInformation

        return MutualInformation(dataset, dof=dof)
    from .gaussian_information import GaussianInformation

    return GaussianInformation(dataset)


def dependence_for(dataset: Dataset, *, prior: float | None = None) -> Any:
    """Return the evidence of LMM, bound to the data: partial correlations for continuous data, else tests."""
    if dataset.kind == "continuous":
        from .dependence import DependencePosterior

        return DependencePosterior(dataset, prior=prior)
    from .tested_dependence import TestedDependence

    return TestedDependence(dataset, prior=prior)


def resampled_test_for(dataset: Dataset, *, dof: str = "plain") -> CITest:
    """Return the test of B-RAI, which can be repeated on resamples, bound to the data."""
    if dataset.kind == "categorical":
        from .g2 import G2

        return G2(dataset, dof=dof)
    from .resampled_gaussian import ResampledGaussian

    return ResampledGaussian(dataset)
