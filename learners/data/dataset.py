"""Dataset: a table checked once at the door and never changed afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ..common.arrays import as_array, as_numbers
from ..common.checks import check_type, quoted
from ..common.errors import DataError
from ..kernels.scores.discrete_families import label_rows
from .columns import (
    Kind,
    check_complete,
    checked_kinds,
    checked_levels,
    checked_names,
    checked_weights,
    correlation_of,
    default_kinds,
    encode,
    numbers_of,
    read_only,
)

MAX_LEVELS = 65_535
SAMPLE_ROWS = 1_024  # rows looked at before merging
MOST_SAMPLED = 0.75  # share of distinct ones among them beyond which merging is not tried
FEW_ROWS = 0.1  # share of distinct rows up to which hill climbing gained by merging (`merged_rows` in benchmarks/)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of either categorical codes or real numbers. Build it with one of the ``from_...`` methods.

    Attributes
    ----------
    names : tuple of str
        One per variable, distinct, in column order.
    codes : (p, n) uint8 or uint16 array, or None
        Level of each row, one variable a row of the array, read-only. None for continuous data.
    arity : (p,) int64 array, or None
        Declared number of levels, observed or not. Degrees of freedom and scores depend on it.
    levels : tuple of tuple of str, or None
        Names of the levels, in the order of the codes.
    values : (n, p) float64 array, or None
        The numbers, read-only, finite. None for categorical data.
    weights : (n,) int64 array, or None
        How often each row counts. None means once each.
    """

    names: tuple[str, ...]
    codes: np.ndarray | None = None
    arity: np.ndarray | None = None
    levels: tuple[tuple[str, ...], ...] | None = None
    values: np.ndarray | None = None
    weights: np.ndarray | None = None

    @classmethod
    def from_codes(
        cls,
        codes: np.ndarray,
        arity: Sequence[int],
        names: Sequence[str],
        levels: Sequence[Sequence[str]] | None = None,
        weights: Sequence[int] | None = None,
    ) -> Dataset:
        """Categorical data from integer codes.

        Parameters
        ----------
        codes : (p, n) integer array
            One variable a row, each code in ``0 .. arity - 1``.
        arity : (p,) integers
            Declared number of levels of each variable, at least 1.
        names : p strings
            Distinct, not empty.
        levels : p sequences of str, optional
            Names of the levels. Default: the codes as text.
        weights : (n,) integers, optional
            How often each row counts, at least 0.

        Raises
        ------
        DataError
            If shapes disagree, a code lies outside its arity, or names repeat.
        """
        names = checked_names(names)
        codes = as_array("codes", codes, "iu", "whole numbers", "; use Dataset.from_frame to encode levels")
        arity = as_array("arity", arity, "iu", "whole numbers").astype(np.int64)
        if codes.ndim != 2 or codes.shape[0] != len(names) or arity.shape != (len(names),):
            raise DataError(
                f"codes must be (p, n) with one arity and one name a variable, got codes {codes.shape}, "
                f"{arity.size} arities and {len(names)} names; transpose or complete them"
            )
        bad = [n for n, r in zip(names, arity, strict=True) if not 1 <= r <= MAX_LEVELS]
        if bad:
            raise DataError(
                f"variables must have 1 to {MAX_LEVELS} levels, columns {quoted(bad)} do not; merge levels or drop them"
            )
        if codes.shape[1]:
            outside = (codes.min(axis=1) < 0) | (codes.max(axis=1) >= arity)
            if outside.any():
                bad = [n for n, out in zip(names, outside, strict=True) if out]
                raise DataError(f"codes of columns {quoted(bad)} lie outside 0 .. arity - 1; declare all their levels")
        if levels is None:
            levels = [[str(k) for k in range(r)] for r in arity]
        levels = checked_levels(levels)
        wrong = [n for n, r, ls in zip(names, arity, levels, strict=False) if len(ls) != r or len(set(ls)) != r]
        if len(levels) != len(names) or wrong:
            raise DataError(f"levels must name each code once, columns {quoted(wrong or names)} do not; rename them")
        dtype = np.uint8 if arity.size == 0 or arity.max() <= 256 else np.uint16
        return cls(
            names=names,
            codes=read_only(codes, dtype),
            arity=read_only(arity, np.int64),
            levels=levels,
            weights=checked_weights(weights, codes.shape[1]),
        )

    @classmethod
    def from_values(cls, values: np.ndarray, names: Sequence[str]) -> Dataset:
        """Continuous data from an (n, p) array of finite numbers, one variable a column."""
        names = checked_names(names)
        values = as_numbers("values", values)
        if values.ndim != 2 or values.shape[1] != len(names):
            raise DataError(f"values must be (n, p) with one name a column, got {values.shape} and {len(names)} names")
        finite = np.isfinite(values)
        if not finite.all():
            bad = [n for n, ok in zip(names, finite.all(axis=0), strict=True) if not ok]
            raise DataError(
                f"values must be finite, found {int((~finite).sum())} missing or infinite in columns {quoted(bad)}; "
                "drop or impute them before learning"
            )
        return cls(names=names, values=read_only(values, np.float64))

    @classmethod
    def from_frame(cls, df: pd.DataFrame, kinds: Mapping[str, Kind] | None = None) -> Dataset:
        """All columns of a frame as one kind of data.

        Parameters
        ----------
        df : DataFrame
            Columns with a categorical dtype keep their declared levels, in order; other categorical columns get
            their distinct values, sorted.
        kinds : mapping of column name to "categorical" or "continuous", optional
            Default: floating-point columns are continuous, all others categorical. Whole numbers are continuous
            too where every column is a number and one of them is continuous.

        Raises
        ------
        DataError
            If cells are missing, kinds are mixed, or a continuous column holds text.
        """
        check_type("df", df, pd.DataFrame, "a DataFrame")
        names = checked_names(df.columns)
        kinds = {**default_kinds(df, names), **checked_kinds({} if kinds is None else kinds, names)}
        check_complete(df, names)
        continuous = [n for n in names if kinds[n] == "continuous"]
        if continuous and len(continuous) < len(names):
            rest = [n for n in names if kinds[n] == "categorical"]
            raise DataError(
                f"columns must be of one kind, found continuous {quoted(continuous)} beside categorical "
                f"{quoted(rest)}; discretise the first or keep one kind"
            )
        if continuous:
            return cls.from_values(numbers_of(df, names), names)
        encoded = [encode(df.iloc[:, j]) for j in range(len(names))]
        codes = np.array([codes for codes, _ in encoded], dtype=np.uint16).reshape(len(names), len(df))
        return cls.from_codes(codes, [len(ls) for _, ls in encoded], names, [ls for _, ls in encoded])

    @property
    def kind(self) -> Kind:
        """ "categorical" or "continuous"."""
        return "continuous" if self.codes is None else "categorical"

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def n_rows(self) -> int:
        """Number of stored rows, whatever their weight."""
        return self.values.shape[0] if self.codes is None else self.codes.shape[1]

    @cached_property
    def n(self) -> int:
        """Sample size: the sum of the row weights."""
        return self.n_rows if self.weights is None else int(self.weights.sum())

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over every name, level, weight and cell. Equal fingerprints mean equal data."""
        digest = hashlib.sha256(repr((self.names, self.levels, self.kind)).encode())
        for array in (self.codes, self.arity, self.values, self.weights):
            if array is not None:
                digest.update(repr((array.shape, array.dtype.str)).encode())
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    @cached_property
    def correlation(self) -> np.ndarray:
        """(p, p) correlation matrix of continuous data, computed once, read-only.

        A column of zero variance gets correlation 0 with all others.
        """
        if self.values is None:
            raise DataError("correlations need continuous data, got categorical; use a test for categorical data")
        return correlation_of(self.values)

    def index(self, name: str) -> int:
        """Position of a variable."""
        try:
            return self.names.index(name)
        except ValueError:
            raise DataError(f"no column {name!r}; the columns are {quoted(self.names)}") from None

    def select(self, columns: Sequence[int]) -> Dataset:
        """The same rows with some of the variables, in the order given."""
        columns = list(columns)
        names = checked_names([self.names[j] for j in columns])
        if self.codes is None:
            return Dataset(names=names, values=read_only(self.values[:, columns], np.float64))
        return Dataset(
            names=names,
            codes=read_only(self.codes[columns], self.codes.dtype),
            arity=read_only(self.arity[columns], np.int64),
            levels=tuple(self.levels[j] for j in columns),
            weights=self.weights,
        )

    def take(self, rows: Sequence[int]) -> Dataset:
        """Some of the rows, in the order given, with all declared levels."""
        rows = np.asarray(rows, dtype=np.int64)
        if self.codes is None:
            return Dataset(names=self.names, values=read_only(self.values[rows], np.float64))
        weights = None if self.weights is None else read_only(self.weights[rows], np.int64)
        return Dataset(
            self.names, read_only(self.codes[:, rows], self.codes.dtype), self.arity, self.levels, None, weights
        )

    def with_weights(self, weights: Sequence[int] | None) -> Dataset:
        """The same categorical rows, each counted as often as its weight says."""
        if self.codes is None:
            raise DataError("row weights need categorical data, got continuous; resample the rows instead")
        return Dataset(self.names, self.codes, self.arity, self.levels, None, checked_weights(weights, self.n_rows))

    def merged(self) -> Dataset:
        """Identical rows stored once, with their multiplicity as weight, in order of appearance.

        Counts stay the same.
        """
        if self.codes is None:
            raise DataError("merging rows needs categorical data, got continuous")
        label = np.empty(self.n_rows, dtype=np.int64)
        q = label_rows(self.codes, self.arity, np.arange(self.p), label)
        first = np.empty(q, dtype=np.int64)
        first[label[::-1]] = np.arange(self.n_rows)[::-1]
        counts = np.bincount(label, weights=self.weights, minlength=q)[:q]
        return Dataset(
            self.names,
            read_only(self.codes[:, first], self.codes.dtype),
            self.arity,
            self.levels,
            None,
            read_only(counts, np.int64),
        )

    def compact(self) -> Dataset:
        """`merged` where few rows differ, so that counting them one by one beats bit planes; else the data set itself.

        A sample of the rows is looked at first: where most of it differs, nothing is merged.
        """
        if self.codes is None or self.n_rows < 2 * SAMPLE_ROWS:
            return self
        sample = read_only(self.codes[:, :: self.n_rows // SAMPLE_ROWS], self.codes.dtype)
        label = np.empty(sample.shape[1], dtype=np.int64)
        if label_rows(sample, self.arity, np.arange(self.p), label) > MOST_SAMPLED * sample.shape[1]:
            return self
        merged = self.merged()
        return merged if merged.n_rows <= FEW_ROWS * self.n_rows else self

    def to_frame(self) -> pd.DataFrame:
        """The rows as a frame: numbers, or categoricals with all declared levels. Weights are not unrolled."""
        if self.codes is None:
            return pd.DataFrame(self.values, columns=list(self.names))
        columns = zip(self.names, self.codes.astype(np.int32), self.levels, strict=True)
        return pd.DataFrame({name: pd.Categorical.from_codes(codes, list(levels)) for name, codes, levels in columns})

    def __repr__(self) -> str:
        return f"Dataset({self.kind}, n={self.n}, p={self.p})"
