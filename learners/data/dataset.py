"""The data set that learners work on: validated when it is made, and immutable."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary, ref

import numpy as np

from ..common.arrays import as_array, frozen, frozen_copy
from ..common.checks import check_number, check_positions
from ..common.errors import DataError, ParameterError
from ..common.mapped_arrays import empty, taken
from ..common.validation import validated
from ..common.wording import quoted, quoted_columns, shown_value
from .columns import (
    Kind,
    checked_codes,
    checked_kinds,
    checked_names,
    checked_values,
    correlation_of,
    missing_codes,
    missing_in,
)
from .row_weights import checked_weights, distinct_rows, mostly_distinct, repeated, sample_size

if TYPE_CHECKING:  # most processes need no frame, and pandas takes a third of a second
    import pandas as pd

MAX_KEPT_BYTES = 1 << 24  # maximum size of the cells of a copy in name order that is cached beyond its use
# Maximum share of distinct rows for merging, which made hill climbing faster (`merged_rows` in benchmarks/).
FEW_ROWS = 0.1


@runtime_checkable
class Substitute(Protocol):
    """Completion of the missing cells for scores and tests of numbers: a `data.completed_data.Completion`."""

    @property
    def correlation(self) -> np.ndarray:
        """(p, p) float64: completed correlations of continuous variables."""

    def of(self, dataset: Dataset) -> Substitute:
        """Return the substitute for other rows of the same columns."""


@dataclass(frozen=True)
class LeftOut:
    """A column that is no variable, although it could replace any of the variables that determine it.

    For example, of a sum and its two parts any two determine the third. Which of the three is left out is a choice,
    and the directions that a learner finds at the other two may depend on it.

    Attributes
    ----------
    name : str
    by : tuple of str
        The variables that determine it, two or more.
    """

    name: str
    by: tuple[str, ...]


@validated
@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of categorical codes, of numbers, or of both; cells may be missing. Made by one of the ``from_...`` methods.

    Attributes
    ----------
    names : tuple of str
        One per variable, distinct, in column order.
    codes : (p, n) uint8 or uint16 array, or None
        Level of each cell, one row of the array per variable, read-only; the arity where the cell is missing. In mixed
        data only the categorical variables, in column order. None for continuous data.
    arity : (p,) int64 array, or None
        Declared number of levels of the variables of `codes`, observed or not. Degrees of freedom and scores depend
        on it.
    levels : tuple of tuple of str, or None
        Names of the levels, in the order of the codes.
    values : (n, p) float64 array, or None
        The numbers, read-only, finite; NaN where the cell is missing. In mixed data only the continuous variables.
        None for categorical data.
    weights : (n,) int64 or float64 array, or None
        Count or survey weight of each row. None if each row counts once.
    mixture : tuple of Kind, or None
        Kind of each variable of mixed data; None if all have one kind.
    copies : int
        Number of imputed tables that are stacked in this one; the sample size is that of one of them.
    completion : Substitute or None
        Completion of the missing cells for scores and for tests of numbers. None: they use the rows that have the
        cells.
    independence : float
        Number of independent rows that a row is worth, at most 1; see `with_independence`.
    ordered : tuple of str
        Names of the categorical variables whose levels have an order, that of `levels`; see `with_ordered_levels`.
    groups : (n_rows,) int64 array, or None
        Subject or other group of each row, numbered from 0; resamples draw whole groups. See `with_groups`.
    unscored : array of the shape of `values`, or None
        The numbers before some columns became normal scores, in which columns that others determine are also sought:
        ranks of a sum are no sum. None if `values` are the numbers.
    left_out : tuple of LeftOut
        Columns of the table that are no variables, although they could replace variables that determine them; set by
        `prepare`.
    """

    names: tuple[str, ...]
    codes: np.ndarray | None = None
    arity: np.ndarray | None = None
    levels: tuple[tuple[str, ...], ...] | None = None
    values: np.ndarray | None = None
    weights: np.ndarray | None = None
    mixture: tuple[Kind, ...] | None = None
    copies: int = 1
    completion: Substitute | None = None
    independence: float = 1.0
    ordered: tuple[str, ...] = ()
    groups: np.ndarray | None = None
    unscored: np.ndarray | None = None
    left_out: tuple[LeftOut, ...] = ()

    @classmethod
    def from_codes(
        cls,
        codes: np.ndarray,
        arity: Sequence[int],
        names: Sequence[str],
        levels: Sequence[Sequence[str]] | None = None,
        weights: Sequence[float] | None = None,
    ) -> Dataset:
        """Make categorical data from integer codes.

        Parameters
        ----------
        codes : (p, n) integer array
            One row per variable, each code in ``0 .. arity - 1``, or -1 for a missing cell.
        arity : (p,) integers
            Declared number of levels of each variable, at least 1.
        names : p strings
            Distinct, not empty.
        levels : p sequences of str, optional
            Names of the levels. Default: the codes as text.
        weights : (n,) numbers, optional
            At least 0. Integers are counts of the rows, other numbers are survey weights; see `n`.

        Raises
        ------
        DataError
            If shapes disagree, a code lies outside its arity, or names repeat.
        """
        names = checked_names(names)
        codes, arity, levels = checked_codes(codes, arity, names, levels)
        return cls(names, codes, arity, levels, weights=checked_weights(weights, codes.shape[1]))

    @classmethod
    def from_values(cls, values: np.ndarray, names: Sequence[str]) -> Dataset:
        """Make continuous data from an (n, p) array of finite numbers, NaN for a missing cell."""
        names = checked_names(names)
        return cls(names, values=checked_values(values, names))

    @classmethod
    def from_frame(cls, df: Any, kinds: Mapping[str, Kind] | None = None, *, weights: str | None = None) -> Dataset:
        """Make a data set from all columns of a frame, with their missing cells.

        Parameters
        ----------
        df : DataFrame
            Of pandas, polars or pyarrow, a dataset of pyarrow, a relation of DuckDB, or any table with
            ``__arrow_c_stream__``. All but pandas frames are read batch by batch, each cell written once. Columns with
            a categorical dtype keep their declared levels, in order; other categorical columns get their distinct
            values, sorted. Levels of an ordered dtype are `ordered`. None, NaN and ``pd.NA`` are missing cells.
        kinds : mapping of column name to "categorical" or "continuous", optional
            Default: floating-point columns are continuous, and so are integers in a frame with such a column.
            Otherwise integers are continuous if the frame has other than integer columns and the column has more than
            10 different values. Dates are continuous, as days since the first of their column, and so are durations,
            as days. All others are categorical.
        weights : str, optional
            Name of the column of row weights, numbers of at least 0, which is not a variable. Integers are counts: the
            result equals that of a frame with repeated rows, and with continuous columns the rows are in fact
            repeated. Other numbers are survey weights; see `n`.

        Raises
        ------
        DataError
            If a continuous column holds text or infinite numbers, names repeat, or a weight is missing or below 0.
        """
        from .frames import (
            as_frame,
            default_kinds,
            encode,
            is_frame,
            is_ordered,
            numbers_of,
            refuse_empty,
            split_weights,
        )

        if weights is None and not is_frame(df) and (data := cls._from_arrow(df, kinds)) is not None:
            return data
        df, weighed_by = as_frame(df), None
        if weights is not None:
            df, weighed_by = split_weights(df, weights)
        names = checked_names(df.columns)
        kinds = {**default_kinds(df, names), **checked_kinds({} if kinds is None else kinds, names)}
        refuse_empty(df, names)
        numbers, levels = ([n for n in names if kinds[n] == kind] for kind in ("continuous", "categorical"))
        parts = []
        if numbers:
            parts.append(cls.from_values(numbers_of(df, names, numbers), numbers))
        if levels:
            codes, encoded = encode(df, names, levels)
            parts.append(cls.from_codes(codes, [len(own) for own in encoded], levels, encoded))
        data = cls.joined(names, *parts)
        data = data.with_ordered_levels([name for name in levels if is_ordered(df.iloc[:, names.index(name)])])
        return data if weighed_by is None else data.with_weights(weighed_by)

    @classmethod
    def _from_arrow(cls, table: Any, kinds: Mapping[str, Kind] | None) -> Dataset | None:
        """Make a data set from a table with an Arrow interface; None if pandas must convert one of its columns."""
        from .arrow_tables import arrow_stream, encode_stream

        stream = arrow_stream(table, kinds)
        if stream is None:
            return None
        found, parts = encode_stream(stream, kinds), []
        numbers, levels = ([n for n in found.names if found.kinds[n] == kind] for kind in ("continuous", "categorical"))
        if numbers:
            parts.append(cls.from_values(found.values, numbers))
        if levels:
            codes = empty((len(levels), len(found.codes[0])), np.result_type(*found.codes))
            for own in codes[::-1]:
                own[:] = found.codes.pop()
            parts.append(cls.from_codes(codes, [len(own) for own in found.levels], levels, found.levels))
        return cls.joined(found.names, *parts).with_ordered_levels(found.ordered)

    @classmethod
    @validated
    def joined(cls, names: Sequence[str], *parts: Dataset) -> Dataset:
        """Join a categorical and a continuous data set with the same rows, without weights, column by column.

        Parameters
        ----------
        names : sequence of str
            All variables of the parts, in the order of the result.
        *parts : Dataset
            At most one of each kind.

        Raises
        ------
        DataError
            If there is no part, or `names` are not the variables of the parts.
        """
        names = checked_names(names)
        if not parts:
            raise DataError("columns need a data set to come from, got none. Pass at least one")
        if len(parts) == 1 and parts[0].names == names:
            return parts[0]
        by_kind = {part.kind: part for part in parts}
        kinds = {name: part.kind for part in parts for name in part.names}
        if set(names) != set(kinds):
            raise DataError(
                f"names must be the variables of the data sets, {quoted_columns(sorted(kinds))}, got "
                f"{quoted_columns(names)}. Pass each of them once"
            )
        own = {kind: part.select([part.index(n) for n in names if kinds[n] == kind]) for kind, part in by_kind.items()}
        if len(own) == 1:
            return next(iter(own.values()))
        categorical, continuous = own["categorical"], own["continuous"]
        mixture = tuple(kinds[name] for name in names)
        codes, arity, levels = categorical.codes, categorical.arity, categorical.levels
        ordered = categorical.ordered
        return cls(names, codes, arity, levels, continuous.values, mixture=mixture, ordered=ordered)

    @validated
    def available(self, columns: Sequence[int]) -> Dataset:
        """Return some of the variables in the rows that have all of them."""
        columns = list(columns)
        there = np.logical_and.reduce([self.is_there(j) for j in columns])
        own = self.select(columns)
        return own if there.all() else own.take(np.flatnonzero(there))

    @cached_property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    @cached_property
    def n_rows(self) -> int:
        """Number of stored rows; weights do not count."""
        return self.values.shape[0] if self.codes is None else self.codes.shape[1]

    @cached_property
    def kind(self) -> Kind:
        """Type of the data: "categorical", "continuous" or "mixed"."""
        if self.mixture is not None:
            return "mixed"
        return "continuous" if self.codes is None else "categorical"

    @property
    def surveyed(self) -> bool:
        """True if survey weights, or dependent rows, make the sample size smaller than the number of rows."""
        return self.weights is not None and self.weights.dtype.kind == "f"

    @cached_property
    def n(self) -> int:
        """Sample size: the sum of counts, or the effective sample size (Σ w)² / Σ w² of survey weights (Kish 1965).

        The result is multiplied by `independence`.
        """
        total = self.n_rows if self.weights is None else sample_size(self.weights)
        parts = self.copies / self.independence
        return total if parts == 1 else round(total / parts)

    @cached_property
    def shares(self) -> np.ndarray | None:
        """(n_rows,) float64: the row weights scaled to the sum `n`; None if each row counts once."""
        if self.weights is None:
            return None if self.copies == 1 else frozen_copy(np.full(self.n_rows, 1.0 / self.copies), np.float64)
        total = float(self.weights.sum()) or 1.0  # avoids a division by zero if there are no rows
        return frozen_copy(self.weights * (self.n / total), np.float64)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kind of each variable."""
        return self.mixture or (self.kind,) * self.p

    @cached_property
    def place(self) -> tuple[int, ...]:
        """Position of each variable among those of its kind: its row of `codes` or its column of `values`."""
        seen = {"categorical": 0, "continuous": 0}
        found = []
        for kind in self.kinds:
            found.append(seen[kind])
            seen[kind] += 1
        return tuple(found)

    @validated
    def is_there(self, j: int) -> np.ndarray:
        """Return (n_rows,) bool: the rows in which variable j is not missing."""
        k = self.place[j]
        if self.kinds[j] == "continuous":
            return ~np.isnan(self.values[:, k])
        return self.codes[k] != int(self.arity[k])  # NumPy compares with an int64 more slowly

    @cached_property
    def by_name(self) -> tuple[int, ...]:
        """Positions of the variables sorted by name, X2 before X10."""
        return tuple(sorted(range(self.p), key=[_natural_key(name) for name in self.names].__getitem__))

    @cached_property
    def n_missing(self) -> np.ndarray:
        """(p,) int64: number of missing cells of each variable."""
        missing = {
            "continuous": None if self.values is None else missing_in(self.values),
            "categorical": None if self.codes is None else missing_codes(self.codes, self.arity),
        }
        return frozen_copy([missing[kind][k] for kind, k in zip(self.kinds, self.place, strict=True)], np.int64)

    @cached_property
    def incomplete(self) -> np.ndarray:
        """(p,) bool: the variables with missing cells."""
        return frozen_copy(self.n_missing > 0, bool)

    @cached_property
    def complete(self) -> bool:
        """True if no cell is missing."""
        return not self.n_missing.any()

    @property
    def described(self) -> str:
        """Words for messages: the kind, and a remark on missing cells."""
        return f"{self.kind} ones" + (" with missing cells" if not self.complete else "")

    @property
    def states(self) -> np.ndarray:
        """(p,) int64: number of codes of each variable of `codes`, one more where cells are missing."""
        if self.complete:
            return self.arity
        return self.arity + self.incomplete[[j for j, kind in enumerate(self.kinds) if kind == "categorical"]]

    def to_frame(self) -> pd.DataFrame:
        """Return the stored rows as a frame of numbers and categoricals with all declared levels, without weights."""
        import pandas as pd

        if self.kind == "continuous":
            return pd.DataFrame(self.values, columns=list(self.names))
        return pd.DataFrame({name: self._column(j) for j, name in enumerate(self.names)})

    def _column(self, j: int) -> np.ndarray | pd.Categorical:
        import pandas as pd

        k = self.place[j]
        if self.kinds[j] == "continuous":
            return self.values[:, k]
        codes = self.codes[k].astype(np.int32)
        return pd.Categorical.from_codes(
            np.where(codes == self.arity[k], -1, codes), list(self.levels[k]), ordered=self.names[j] in self.ordered
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all names, levels, weights and cells; equal fingerprints mean equal data."""
        digest = hashlib.sha256(repr((self.names, self.levels, self.mixture or self.kind)).encode())
        for array in (self.codes, self.arity, self.values, self.weights):
            if array is not None:
                digest.update(repr((array.shape, array.dtype.str)).encode())
                digest.update(np.ascontiguousarray(array).data)
        if self.independence < 1.0:
            digest.update(repr(self.independence).encode())
        if self.ordered:
            digest.update(repr(self.ordered).encode())
        if self.groups is not None:
            digest.update(b"groups" + self.groups.tobytes())
        return digest.hexdigest()

    @cached_property
    def correlation(self) -> np.ndarray:
        """(p, p) correlation matrix of continuous data, computed once, read-only.

        A column of zero variance has correlation 0 with all others. The result is bitwise independent of the order of
        the columns. With missing cells, the completed correlations.
        """
        if self.kind == "continuous" and self.completion is not None:
            return self.completion.correlation
        if self.kind != "continuous" or not self.complete:
            raise DataError(f"only numbers without missing cells have correlations, found {self.described}. Use a test")
        if self.by_name == tuple(range(self.p)):
            return self._correlation_by_name
        place = np.argsort(self.by_name)
        return frozen(self._correlation_by_name[np.ix_(place, place)])

    @cached_property
    def _correlation_by_name(self) -> np.ndarray:
        """(p, p) correlations of complete continuous data with the columns sorted by name, for all their orders."""
        return correlation_of(self.values, self.shares, self.by_name)

    @validated
    def index(self, name: str) -> int:
        """Return the position of a variable; DataError if there is none of that name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise DataError(f"no column {quoted([name])}. The columns are {quoted(self.names)}") from None

    @validated
    def select(self, columns: Sequence[int]) -> Dataset:
        """Return the same rows with some of the variables, in the order given.

        Raises
        ------
        ParameterError
            If there is no such variable.
        """
        columns = list(columns)
        check_positions("a column", columns, self.p)
        checked_names([self.names[j] for j in columns])
        return self._select(columns)

    def _select(self, columns: list[int]) -> Dataset:
        """Return the same rows with some of the variables, whose positions are checked."""
        names = tuple(map(self.names.__getitem__, columns))
        kinds = list(map(self.kinds.__getitem__, columns))
        coded, numbers = (
            [self.place[j] for j, kind in zip(columns, kinds, strict=True) if kind == wanted]
            for wanted in ("categorical", "continuous")
        )
        return Dataset(
            names=names,
            codes=_some(self.codes, coded, 0) if coded else None,
            arity=frozen_copy(self.arity[coded], np.int64) if coded else None,
            levels=tuple(map(self.levels.__getitem__, coded)) if coded else None,
            values=_some(self.values, numbers, 1) if numbers else None,
            weights=self.weights,
            mixture=tuple(kinds) if coded and numbers else None,
            copies=self.copies,
            independence=self.independence,
            ordered=tuple(name for name in names if name in self.ordered) if self.ordered else (),
            groups=self.groups,
            unscored=_some(self.unscored, numbers, 1) if numbers and self.unscored is not None else None,
            left_out=tuple(column for column in self.left_out if set(column.by) <= set(names)),
        )

    @validated
    def reordered(self, order: Sequence[int]) -> Dataset:
        """Return the data set with its variables in another order, including cached results."""
        check_positions("a column", order, self.p)
        if tuple(order) == tuple(range(self.p)):
            return self
        if sorted(order) != list(range(self.p)):
            raise ParameterError(f"order must hold each of the {self.p} columns once, got {shown_value(order)}")
        return self._reordered(list(order))

    def _reordered(self, order: list[int]) -> Dataset:
        """Return the data set with its variables in a checked order, including cached results."""
        data, order = self._select(order), np.array(order)
        data.__dict__["n_missing"] = frozen_copy(self.n_missing[order], np.int64)
        if self.kind == "continuous" and self.complete:
            data.__dict__["_correlation_by_name"] = self._correlation_by_name
        return data

    @property
    def in_name_order(self) -> Dataset:
        """All variables in the order `by_name`; the data set itself if they are in this order.

        Learners work on this data set. It is cached while it is in use. If small, it is cached as long as this one, so
        that the next learner also finds its bit planes.
        """
        if self.by_name == tuple(range(self.p)):
            return self
        data = _SORTED[self]() if self in _SORTED else None
        if data is None:
            data = self._reordered(list(self.by_name))
            n_bytes = sum(cells.nbytes for cells in (data.codes, data.values) if cells is not None)
            _SORTED[self] = (lambda: data) if n_bytes <= MAX_KEPT_BYTES else ref(data)
        return data

    @validated
    def take(self, rows: Sequence[int]) -> Dataset:
        """Return some of the rows, in the order given, with all declared levels.

        Raises
        ------
        ParameterError
            If there is no such row.
        """
        rows = np.asarray(rows, dtype=np.int64)
        if rows.size:
            check_positions("a row", (int(rows.min()), int(rows.max())), self.n_rows)
        return replace(
            self,
            codes=None if self.codes is None else taken(self.codes, rows, 1),
            values=None if self.values is None else taken(self.values, rows, 0),
            weights=None if self.weights is None else frozen_copy(self.weights[rows], self.weights.dtype),
            groups=None if self.groups is None else frozen_copy(self.groups[rows], np.int64),
            completion=None,
            unscored=None if self.unscored is None else taken(self.unscored, rows, 0),
        )

    def with_weights(self, weights: Sequence[float] | None) -> Dataset:
        """Return the rows with other weights; with continuous columns, counts repeat the rows instead."""
        weights = checked_weights(weights, self.n_rows)
        data = replace(self, weights=weights, completion=None)
        if weights is None or (self.kind == "categorical" and weights.dtype.kind == "i"):
            return data
        if weights.dtype.kind == "i":
            return replace(data, weights=None).take(repeated(weights, self.p))
        return data.take(np.flatnonzero(weights))

    def with_independence(self, share: float) -> Dataset:
        """Return the data set with each dependent row counted as a share of an independent row.

        Tests and scores then use the effective sample size, the number of rows times the share.

        Parameters
        ----------
        share : float
            Above 0, at most 1: effective number of rows over their number, such as by Bartlett (1935) for rows in
            time, or by Moulton (1986) for groups of similar rows.

        Raises
        ------
        ParameterError
            If the share is out of range.
        """
        check_number("share", share, 0.0, 1.0, ends="(]")
        if share == self.independence:
            return self
        data = self
        if data.weights is not None and not data.surveyed:
            data = replace(data, weights=None).take(repeated(data.weights, data.p))
        weights = np.ones(data.n_rows) if data.weights is None else data.weights
        return replace(data, weights=frozen_copy(weights, np.float64), completion=None, independence=float(share))

    @validated
    def with_ordered_levels(self, names: Sequence[str]) -> Dataset:
        """Return the data set in which the levels of exactly the named categorical variables have an order.

        Tests of categorical data with at most 1,000 rows then also look for a trend; see `OrderedG2`. Of the scores of
        searches only "ranks" uses the order.

        Parameters
        ----------
        names : sequence of str
            Their `levels` must be listed from the lowest to the highest.

        Raises
        ------
        DataError
            If there is no such variable, or it is continuous.
        """
        names = set(names)
        for name in names:
            if self.kinds[self.index(name)] != "categorical":
                raise DataError(
                    f"{quoted_columns([name])} must have levels to be ordered, it has numbers. Leave it out"
                )
        return replace(self, ordered=tuple(name for name in self.names if name in names))

    @validated
    def with_groups(self, groups: Sequence[int] | None) -> Dataset:
        """Return the data set with its rows assigned to subjects or other groups, or to none.

        Resamples of the bootstrap then draw whole groups with replacement, because rows of one group are not
        independent (Davison and Hinkley 1997, Bootstrap methods and their application, section 3.8). Tests and scores
        stay the same.

        Parameters
        ----------
        groups : (n_rows,) integers of at least 0, or None
            The group of each row.

        Raises
        ------
        DataError
            If there is not one group for each row, or one is negative.
        """
        if groups is None:
            return replace(self, groups=None)
        groups = as_array("groups", groups, "iu", "whole numbers")
        if groups.shape != (self.n_rows,) or (groups.size and groups.min() < 0):
            raise DataError(
                f"groups must be {self.n_rows:,} numbers of at least 0, one for each row. Number the groups"
            )
        return replace(self, groups=frozen_copy(np.unique(groups, return_inverse=True)[1].ravel(), np.int64))

    def with_completion(self, completion: Substitute | None) -> Dataset:
        """Return the data set with another completion of its missing cells."""
        return replace(self, completion=completion)

    def merged(self) -> Dataset:
        """Store identical rows of categorical data once, in order of appearance, with their multiplicity as weight.

        All counts stay the same. Rows with survey weights are not merged, because that would change the effective
        sample size; nor are rows of groups.
        """
        if self.kind != "categorical":
            raise DataError(f"rows with numbers rarely repeat, so {self.kind} data are not merged. Use all rows")
        if self.surveyed or self.groups is not None:
            return self
        first, counts = distinct_rows(self.codes, self.states, self.weights)
        return Dataset(
            self.names,
            taken(self.codes, first, 1),
            self.arity,
            self.levels,
            None,
            frozen_copy(counts, np.int64),
            copies=self.copies,
            ordered=self.ordered,
            left_out=self.left_out,
        )

    def compact(self) -> Dataset:
        """Return `merged` if few rows are distinct, so that counting rows is faster than bit planes; else the data set.

        If most rows of a sample are distinct, merging is not tried.
        """
        if (
            self.kind != "categorical"
            or self.surveyed
            or self.groups is not None
            or mostly_distinct(self.codes, self.states)
        ):
            return self
        merged = self.merged()
        return merged if merged.n_rows <= FEW_ROWS * self.n_rows else self

    def __repr__(self) -> str:
        note = "" if self.complete else ", with missing cells"
        return f"Dataset({self.kind}, n={self.n}, p={self.p}{note})"


_SORTED: WeakKeyDictionary[Dataset, Callable[[], Dataset | None]] = WeakKeyDictionary()


def _some(cells: np.ndarray, variables: Sequence[int], axis: int) -> np.ndarray:
    """Return the cells of some variables, read-only; the array itself if these are all of them in their order."""
    is_whole = len(variables) == cells.shape[axis] and list(variables) == list(range(len(variables)))
    return cells if is_whole else taken(cells, variables, axis)


@lru_cache(maxsize=1 << 14)  # resamples and copies of a table have the same names
def _natural_key(name: str) -> tuple[list[str | tuple[int, str]], str]:
    """Return the sort key of a name: its texts and integers, in which integers of any length compare by value."""
    pieces = re.split("([0-9]+)", name)
    pieces[1::2] = [(len(number := piece.lstrip("0")), number) for piece in pieces[1::2]]
    return pieces, name
