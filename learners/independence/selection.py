"""The conditional independence test for a data set and the settings of a learner."""

from __future__ import annotations

from ..data.dataset import Dataset
from .ci_test import CITest
from .degenerate_gaussian import DegenerateGaussian
from .dependence import DependencePosterior
from .fisher_z import FisherZ
from .g2 import G2
from .gaussian_information import GaussianInformation
from .information import InformationTest, MutualInformation
from .regression import Regression
from .resampled_gaussian import ResampledGaussian
from .resampling import PearsonX2, PermutationG2, ShrinkageMI
from .tested_dependence import TestedDependence


def ci_test_for(
    dataset: Dataset, *, test: str = "g2", dof: str = "adjusted", rows_per_cell: float = 0.0, seed: int = 0
) -> CITest:
    """Return the requested test, bound to the data.

    Continuous data have Fisher's z; mixed data have the degenerate Gaussian test unless `test` is "regression".
    """
    if dataset.kind == "mixed":
        return (Regression if test == "regression" else DegenerateGaussian)(dataset)
    if dataset.kind == "continuous":
        return FisherZ(dataset)
    if test in ("permutation", "semi-parametric"):
        semi_parametric = test == "semi-parametric"
        return PermutationG2(dataset, dof=dof, rows_per_cell=rows_per_cell, semi_parametric=semi_parametric, seed=seed)
    of_tables = {"g2": G2, "x2": PearsonX2, "shrinkage": ShrinkageMI}
    return of_tables[test](dataset, dof=dof, rows_per_cell=rows_per_cell)


def information_test_for(dataset: Dataset, *, dof: str = "plain") -> InformationTest:
    """Return the test that measures mutual information in bits, bound to the data.

    Categorical data have that of their tables; continuous and mixed data have that of the degenerate Gaussian.
    """
    return MutualInformation(dataset, dof=dof) if dataset.kind == "categorical" else GaussianInformation(dataset)


def dependence_for(dataset: Dataset, *, prior: float | None = None) -> DependencePosterior | TestedDependence:
    """Return the evidence of LMM, bound to the data: partial correlations, or tests unless all columns are numbers."""
    return (DependencePosterior if dataset.kind == "continuous" else TestedDependence)(dataset, prior=prior)


def resampled_test_for(dataset: Dataset, *, dof: str = "plain") -> G2 | ResampledGaussian:
    """Return the test of B-RAI, which can be repeated on resamples, bound to the data."""
    return G2(dataset, dof=dof) if dataset.kind == "categorical" else ResampledGaussian(dataset)
