"""Categorical data in the form that kernels score."""

from __future__ import annotations

import numpy as np

from ..common.checks import check_type
from ..common.errors import DataError
from ..common.mapped_arrays import zeros
from ..common.memory import check_table_memory
from ..data.bit_planes import incomplete_positions, presence_bits
from ..data.completed_data import completed_tables
from ..data.dataset import Dataset
from ..data.lacking_type import no_levels
from ..data.row_weights import distinct_rows, in_units, mostly_distinct
from ..kernels.scores.bdeu_and_bic import DiscreteFamilies, fill_planes
from ..kernels.scores.node_average import IncompleteFamilies
from .node_average import doubts
from .score import Sample

MAX_PLANE_LEVELS = 16  # maximum number of levels of a variable with bit planes; above it, counting row by row is faster
MAX_ROWS = 2**31 - 1  # kernels number rows by 32 bits
MAX_TABULATED = 2**20  # number of counts c whose c · ln c is tabulated
MAX_RISING = (1024, 1024)  # numbers of cells and of counts whose terms of BDeu are tabulated


def discrete_families(
    dataset: Dataset, label: str, *, ess: float = 0.0, penalty: float = 0.0, edge_penalty: float = 0.0
) -> DiscreteFamilies | IncompleteFamilies:
    """Return the rows with weight, their bit planes and the constants of a score.

    Raises
    ------
    DataError
        If the data are continuous, have no rows or more than `MAX_ROWS`, or two variables have too many levels for a
        table.
    """
    check_type("dataset", dataset, Dataset, "a Dataset")
    if dataset.kind != "categorical":
        raise no_levels(label, dataset, numbers="GaussianBIC", mixed="DegenerateBIC")
    if dataset.n == 0:
        raise DataError("a score needs rows, found none; load a table with data")
    if dataset.n_rows > MAX_ROWS:
        raise DataError(
            f"a score takes at most {MAX_ROWS:,} rows, found {dataset.n_rows:,}; learn from a part of the rows"
        )
    check_table_memory(dataset.names, dataset.arity)
    dataset = completed_tables(dataset)
    if not dataset.complete:
        return _incomplete_families(dataset, ess, penalty, edge_penalty)
    codes, (weights, unit) = dataset.codes, in_units(dataset.weights, dataset.n, dataset.copies)
    if len(weights):
        codes, weights = codes[:, weights > 0], weights[weights > 0]
    first_plane, planes = _planes(codes, dataset.arity, some=not len(weights))
    arrays = [
        np.ascontiguousarray(codes),
        dataset.arity,
        weights,
        _xlogx(dataset.n * dataset.copies),
        planes,
        first_plane,
    ]
    codes, arity, weights, xlogx, planes, first_plane = (_read_only(array) for array in arrays)
    constants = float(ess), float(penalty), float(edge_penalty), _rising(ess)
    return DiscreteFamilies(codes, arity, weights, unit, dataset.n, xlogx, planes, first_plane, *constants)


def merged_rows(sample: Sample) -> Sample:
    """Return the sample with equal rows as one row with their total weight, if at most half of the rows are left.

    Scores are the same up to rounding; those of many parents take less time.
    """
    if not isinstance(sample, DiscreteFamilies) or mostly_distinct(sample.codes, sample.arity):
        return sample
    first, weights = distinct_rows(sample.codes, sample.arity, sample.weights if len(sample.weights) else None)
    if 2 * len(first) > sample.codes.shape[1]:
        return sample
    codes, weights = np.ascontiguousarray(sample.codes[:, first]), weights.astype(np.int64)
    first_plane, planes = _planes(codes, sample.arity, some=False)
    arrays = {"codes": codes, "weights": weights, "planes": planes, "first_plane": first_plane}
    return sample._replace(**{name: _read_only(array) for name, array in arrays.items()})


def _incomplete_families(dataset: Dataset, ess: float, penalty: float, edge_penalty: float) -> IncompleteFamilies:
    """Return the rows with their missing values."""
    weights, unit = in_units(dataset.weights, dataset.n)
    arrays = [dataset.codes, dataset.arity, dataset.states, weights]
    codes, arity, states, weights = (_read_only(array) for array in arrays)
    n, xlogx = dataset.n, _read_only(_xlogx(dataset.n))
    missing = incomplete_positions(dataset), presence_bits(dataset)
    constants = float(ess), float(penalty), float(edge_penalty), doubts(dataset), _rising(ess)
    return IncompleteFamilies(codes, arity, states, weights, unit, n, xlogx, *missing, *constants)


def _xlogx(n: int) -> np.ndarray:
    counts = np.arange(min(n, MAX_TABULATED) + 1, dtype=np.float64)
    counts[1:] *= np.log(counts[1:])
    return counts


def _rising(ess: float) -> np.ndarray:
    """Return the table that kernels fill; its memory is used page by page. BIC has no terms of this kind."""
    return np.zeros(MAX_RISING if ess else (1, 0))


def _planes(codes: np.ndarray, arity: np.ndarray, *, some: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the first plane of each variable, -1 for none, and the planes: one bit for each row and level."""
    levels = np.where((arity <= MAX_PLANE_LEVELS) & some, arity, 0)
    first = np.where(levels > 0, np.cumsum(levels) - levels, -1)
    planes = zeros((int(levels.sum()), -(-codes.shape[1] // 64)), np.uint64)
    fill_planes(codes, first, planes)
    return first, planes


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
