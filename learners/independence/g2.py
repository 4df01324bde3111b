"""G² test for categorical data."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..checks import check_choice
from ..dataset import Dataset
from ..errors import DataError, ParameterError
from ..kernels.separation import DiscreteSample
from .compiled import CompiledTest

LARGEST_TABLE = 1 << 21  # counts up to here have c ln c tabulated (16 MB)


class G2(CompiledTest):
    """Likelihood-ratio test of x and y given a set, against the χ² distribution.

    Parameters
    ----------
    dataset : Dataset
        Categorical; row weights count.
    dof : "adjusted" or "plain"
        Adjusted: states that a stratum does not show are not counted in its degrees of freedom. Plain: all declared
        states count, (r_x - 1)(r_y - 1) Π r_z.
    rows_per_cell : float, default 0
        Power rule: a pair is not tested, and counts as independent, if n < rows_per_cell · r_x r_y Π r_z. 0 tests all.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm,
    Machine Learning 65, section 4 (adjusted degrees of freedom, rule of five).
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        dof: Literal["adjusted", "plain"] = "adjusted",
        rows_per_cell: float = 0.0,
        threads: int | None = None,
    ) -> None:
        if dataset.kind != "categorical":
            raise DataError(
                "the G² test needs categorical columns, found continuous ones; discretise them or use Fisher's z"
            )
        if dataset.n == 0:
            raise DataError("a test needs rows, found none; load a table with data")
        check_choice("dof", dof, ("adjusted", "plain"))
        if not 0 <= rows_per_cell < float("inf"):
            raise ParameterError(f"rows_per_cell must be at least 0, got {rows_per_cell!r}")
        counts = np.arange(min(dataset.n, LARGEST_TABLE) + 1, dtype=np.float64)
        counts[1:] *= np.log(counts[1:])
        weights = np.empty(0, dtype=np.int64) if dataset.weights is None else dataset.weights
        for array in (counts, weights):
            array.flags.writeable = False
        sample = DiscreteSample(
            dataset.codes, dataset.arity, weights, dataset.n, counts, dof == "adjusted", float(rows_per_cell)
        )
        super().__init__(dataset.names, sample, dataset.n_rows, threads)
