"""What stands where in a data set: the kind of each variable, its missing cells, and the rows as a frame."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
import pandas as pd

from ..common.validation import validated
from .columns import Kind, read_only
from .row_weights import sample_size


class Shape:
    """What `Dataset` knows of its columns without looking at more than one."""

    names: tuple[str, ...]
    codes: np.ndarray | None
    arity: np.ndarray | None
    levels: tuple[tuple[str, ...], ...] | None
    values: np.ndarray | None
    weights: np.ndarray | None
    mixture: tuple[Kind, ...] | None

    @property
    def kind(self) -> Kind:
        """ "categorical", "continuous" or "mixed"."""
        if self.mixture is not None:
            return "mixed"
        return "continuous" if self.codes is None else "categorical"

    @property
    def surveyed(self) -> bool:
        """Whether rows have survey weights, which are no counts."""
        return self.weights is not None and self.weights.dtype.kind == "f"

    @cached_property
    def n(self) -> int:
        """Sample size: the sum of counts, or of survey weights the effective one, (Σ w)² / Σ w² (Kish 1965)."""
        return self.n_rows if self.weights is None else sample_size(self.weights)

    @cached_property
    def shares(self) -> np.ndarray | None:
        """(n_rows,) float64: the row weights, scaled to add up to `n`; None where all rows count once."""
        if self.weights is None:
            return None
        total = float(self.weights.sum()) or 1.0  # of no rows
        return read_only(self.weights * (self.n / total), np.float64)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kind of each variable."""
        return self.mixture or (self.kind,) * self.p

    @cached_property
    def place(self) -> tuple[int, ...]:
        """Where each variable stands among those of its kind: its row of `codes`, or its column of `values`."""
        seen = {"categorical": 0, "continuous": 0}
        found = []
        for kind in self.kinds:
            found.append(seen[kind])
            seen[kind] += 1
        return tuple(found)

    @validated
    def is_there(self, j: int) -> np.ndarray:
        """(n_rows,) bool: which rows have variable j."""
        k = self.place[j]
        if self.kinds[j] == "continuous":
            return ~np.isnan(self.values[:, k])
        return self.codes[k] != self.arity[k]

    @cached_property
    def by_name(self) -> tuple[int, ...]:
        """Positions of the variables in the order of their names, X2 before X10."""
        return tuple(sorted(range(self.p), key=lambda j: (_pieces(self.names[j]), self.names[j])))

    @cached_property
    def incomplete(self) -> np.ndarray:
        """(p,) bool: which variables have missing cells."""
        return read_only([not self.is_there(j).all() for j in range(self.p)], bool)

    @cached_property
    def complete(self) -> bool:
        """Whether no cell is missing."""
        return not self.incomplete.any()

    @property
    def described(self) -> str:
        """The kind, and whether cells are missing."""
        return f"{self.kind} ones" + (" with missing cells" if not self.complete else "")

    @property
    def states(self) -> np.ndarray:
        """(p,) int64: the codes of each variable, one more where cells are missing."""
        return self.arity + self.incomplete if not self.complete else self.arity

    def to_frame(self) -> pd.DataFrame:
        """The rows as a frame: numbers, or categoricals with all declared levels. Weights are not unrolled."""
        if self.kind == "continuous":
            return pd.DataFrame(self.values, columns=list(self.names))
        return pd.DataFrame({name: self._column(j) for j, name in enumerate(self.names)})

    def _column(self, j: int) -> np.ndarray | pd.Categorical:
        k = self.place[j]
        if self.kinds[j] == "continuous":
            return self.values[:, k]
        codes = self.codes[k].astype(np.int32)
        return pd.Categorical.from_codes(np.where(codes == self.arity[k], -1, codes), list(self.levels[k]))


def _pieces(name: str) -> list[str | tuple[int, str]]:
    """Text and whole numbers by turns, so that numbers are compared as such, however long they are."""
    pieces = re.split("([0-9]+)", name)
    numbers = [piece.lstrip("0") for piece in pieces[1::2]]
    pieces[1::2] = [(len(number), number) for number in numbers]
    return pieces
