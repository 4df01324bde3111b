"""Correction of score gains for data with missing values, whose families use different rows."""

from __future__ import annotations

import math

import numpy as np

from ..common.arrays import frozen_copy
from ..data.completed_data import completed_moments
from ..data.dataset import Dataset

CAUTION = 1.1


def doubts(dataset: Dataset) -> np.ndarray:
    """Return the deduction from a family's gain for each parent.

    The unit is a standard deviation of the gain by row, times sqrt(n). Completed moments need no deduction.

    The deduction is c sqrt(ln n) sqrt(m / (1 - m)), where m is the parent's share of missing values; it is 0 for a
    complete parent.

    Returns
    -------
    (p,) float64 array

    Notes
    -----
    Each family is scored on its own rows. The score of a variable v given its parents is that of v alone, on the rows
    in which v is observed, plus the gain of the parents on the rows in which all of them are observed: n times the mean
    per row. So a parent without information gains nothing, whichever rows it leaves: with the mean log-likelihood of
    the family [1]_ in place of the gain, rows where v happens to be nearly constant look like an explanation. But each
    further incomplete parent removes a share m of the rows, by which the mean gain of the others changes by about
    sqrt(m / ((1 - m) n)) standard deviations by chance. This is subtracted, c sqrt(ln n) times: more than 1 / sqrt(n)
    per row, as consistency requires [1]_, and nothing where parents gain nothing. The penalty of a parameter is the ½
    ln n of BIC.

    Of six values of c, 1.1 and 1.5 were the best on training networks (mean F1 of the skeletons of hill climbing 0.825
    and 0.826, without it 0.608); 1.1 has 0.849 on held-out ones, without it 0.593: `python -m benchmarks.node_average`.

    References
    ----------
    .. [1] Balov (2013), Consistent model selection of discrete Bayesian networks from incomplete data, Electronic
       Journal of Statistics 7; Bodewes and Scutari (2021), Learning Bayesian networks from incomplete data with the
       node-average likelihood, International Journal of Approximate Reasoning 138.
    """
    if completed_moments(dataset):
        return frozen_copy(np.zeros(dataset.p), np.float64)
    missing = np.array([1.0 - dataset.is_there(j).mean() if some else 0.0 for j, some in enumerate(dataset.incomplete)])
    left = np.maximum(1.0 - missing, 1.0 / max(dataset.n_rows, 1))
    found = CAUTION * math.sqrt(math.log(max(dataset.n, 1))) * np.sqrt(missing / left)
    return frozen_copy(found, np.float64)
