"""Input and output of a contender; needs only numpy, since peers may run in another environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

WARM_UP_VARIABLES, WARM_UP_ROWS = 8, 500


@dataclass(frozen=True, eq=False)
class Problem:
    """Data to learn from, with the graph from which they were drawn.

    Attributes
    ----------
    data : array
        Categorical: (p, n) codes, one variable per row. Continuous: (n, p) float64. Mixed: (p, n) float64.
    truth : (p, p) bool array
        True DAG: i -> j iff truth[i, j].
    arity : (p,) int64 array or None
        Declared numbers of levels, 0 for a numeric variable of mixed data; None for continuous data.
    """

    data: np.ndarray
    truth: np.ndarray
    arity: np.ndarray | None = None

    @property
    def p(self) -> int:
        """Return the number of variables."""
        return len(self.truth)

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return self.data.shape[0 if self.arity is None else 1]

    def head(self) -> Problem:
        """Return the first few variables and rows: enough to load and compile everything, too few to take time."""
        p, n = WARM_UP_VARIABLES, WARM_UP_ROWS
        data = self.data[:n, :p] if self.arity is None else self.data[:p, :n]
        arity = None if self.arity is None else self.arity[:p]
        return Problem(np.ascontiguousarray(data), self.truth[:p, :p], arity)

    def save(self, path: Path) -> None:
        """Write the problem as .npz."""
        np.savez(path, **{key: array for key, array in vars(self).items() if array is not None})

    @classmethod
    def load(cls, path: Path) -> Problem:
        """Read a file that `save` wrote."""
        with np.load(path) as stored:
            return cls(**stored)


@dataclass(frozen=True, eq=False)
class Answer:
    """Result of a run.

    Attributes
    ----------
    amat : (p, p) bool array or None
        i -> j iff amat[i, j] and not amat[j, i]; both for an edge without a direction.
    n_tests : int or None
        Number of independence tests, if the program counts them.
    seconds : float or None
        Measured duration, if it is not that of the whole run.
    note : str
    """

    amat: np.ndarray | None = None
    n_tests: int | None = None
    seconds: float | None = None
    note: str = ""


Run = Callable[[], Answer]
