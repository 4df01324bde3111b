"""Errors for columns of a type that a method cannot use: the reason, and another method."""

from __future__ import annotations

from ..common.errors import DataError
from ..common.wording import quoted_columns
from .dataset import Dataset, Kind


def no_levels(method: str, dataset: Dataset, *, numbers: str, mixed: str) -> DataError:
    """Return the error of a method that counts levels, for a data set with numbers.

    Parameters
    ----------
    method : str
        Name of the test or score.
    dataset : Dataset
    numbers, mixed : str
        Test or score to use for continuous data, and for mixed data.
    """
    columns, other = _columns(dataset, "continuous"), numbers if dataset.kind == "continuous" else mixed
    return DataError(f"{method} counts levels, which numbers do not have. Cut {columns} into bins, or use {other}")


def no_numbers(method: str, quantities: str, dataset: Dataset, *, categories: str, mixed: str) -> DataError:
    """Return the error of a method that computes with numbers, for a data set with categories.

    Parameters
    ----------
    method : str
        Name of the test or score.
    quantities : str
        What it is computed from, such as "correlations".
    dataset : Dataset
    categories, mixed : str
        Test or score to use for categorical data, and for mixed data.
    """
    columns, other = _columns(dataset, "categorical"), categories if dataset.kind == "categorical" else mixed
    return DataError(f"{method} uses {quantities}, which the categories of {columns} do not have. Use {other} instead")


def _columns(dataset: Dataset, kind: Kind) -> str:
    return quoted_columns([name for name, own in zip(dataset.names, dataset.kinds, strict=True) if own == kind])
