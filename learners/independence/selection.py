"""Select the conditional independence test for a data set and the settings of a learner; import no other test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..data.dataset import Dataset
from ..settings.reference import Reference

if TYPE_CHECKING:
    from .ci_test import CITest
    from .information import InformationTest

DegenerateGaussian = Reference("independence.degenerate_gaussian", "DegenerateGaussian")
DependencePosterior = Reference("independence.dependence", "DependencePosterior")
FisherZ = Reference("independence.fisher_z", "FisherZ")
G2 = Reference("independence.g2", "G2")
GaussianInformation = Reference("independence.gaussian_information", "GaussianInformation")
MutualInformation = Reference("independence.information", "MutualInformation")
OrderedG2 = Reference("independence.ordered_g2", "OrderedG2")
Regression = Reference("independence.regression", "Regression")
ResampledGaussian = Reference("independence.resampled_gaussian", "ResampledGaussian")
PearsonX2 = Reference("independence.resampling", "PearsonX2")
PermutationG2 = Reference("independence.resampling", "PermutationG2")
ShrinkageMI = Reference("independence.resampling", "ShrinkageMI")
TestedDependence = Reference("independence.tested_dependence", "TestedDependence")

MAX_ROWS_OF_TRENDS = 1_000


def ci_test_for(
    dataset: Dataset, *, test: str = "g2", dof: str = "adjusted", rows_per_cell: float = 0.0, seed: int = 0
) -> CITest:
    """Return the requested test, bound to the data.

    Continuous data get Fisher's z; mixed data get the degenerate Gaussian test unless `test` is "regression". "g2"
    also tests for a trend if `looks_for_trends`.
    """
    if dataset.kind == "mixed":
        return (Regression if test == "regression" else DegenerateGaussian)(dataset)
    if dataset.kind == "continuous":
        return FisherZ(dataset)
    if test in ("permutation", "semi-parametric"):
        semi_parametric = test == "semi-parametric"
        return PermutationG2(dataset, dof=dof, rows_per_cell=rows_per_cell, semi_parametric=semi_parametric, seed=seed)
    of_tables = {"g2": OrderedG2 if looks_for_trends(dataset) else G2, "x2": PearsonX2, "shrinkage": ShrinkageMI}
    return of_tables[test](dataset, dof=dof, rows_per_cell=rows_per_cell)


def looks_for_trends(dataset: Dataset) -> bool:
    """Return True if G² is accompanied by a test for a trend: levels have an order, and rows are few.

    With many rows G² finds the same edges, in less time (benchmarks/README.md).
    """
    return bool(dataset.ordered) and dataset.n <= MAX_ROWS_OF_TRENDS


def information_test_for(dataset: Dataset, *, dof: str = "plain") -> InformationTest:
    """Return the test that measures mutual information in bits, bound to the data.

    Categorical data get `MutualInformation`; continuous and mixed data get `GaussianInformation`.
    """
    return MutualInformation(dataset, dof=dof) if dataset.kind == "categorical" else GaussianInformation(dataset)


def dependence_for(dataset: Dataset, *, prior: float | None = None) -> Any:
    """Return the evidence of LMM, bound to the data: partial correlations for continuous data, else tests."""
    return (DependencePosterior if dataset.kind == "continuous" else TestedDependence)(dataset, prior=prior)


def resampled_test_for(dataset: Dataset, *, dof: str = "plain") -> CITest:
    """Return the test of B-RAI, which can be repeated on resamples, bound to the data."""
    return G2(dataset, dof=dof) if dataset.kind == "categorical" else ResampledGaussian(dataset)
