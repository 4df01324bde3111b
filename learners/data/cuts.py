"""Where numbers are cut into bins, and what the bins are called."""

from __future__ import annotations

import numpy as np

from .plan import Binning


def cut_points(values: np.ndarray, binning: Binning) -> np.ndarray:
    """Where the bins of a numeric column meet.

    Parameters
    ----------
    values : (n,) float array
        Infinite numbers and NaN do not count.
    binning : Binning

    Returns
    -------
    (k,) float array
        Strictly increasing. Bin b holds ``cuts[b - 1] <= x < cuts[b]``. Methods "width" and "frequency" leave no outer
        bin empty and return no cut for a constant column.
    """
    values = values[np.isfinite(values)]
    if binning.method == "cuts":
        return np.array(binning.cuts)
    if values.size == 0:
        return np.empty(0)
    distinct, counts = np.unique(values, return_counts=True)
    if binning.method == "width":
        share = np.arange(1, binning.bins) / binning.bins
        cuts = distinct[0] * (1 - share) + distinct[-1] * share
        return np.unique(cuts[(cuts > distinct[0]) & (cuts <= distinct[-1])])
    # Cuts lie at values, where the number of rows below comes nearest to its share: equal rows where ties allow it.
    below = np.cumsum(counts)[:-1]
    targets = values.size * np.arange(1, binning.bins) / binning.bins
    nearest = {int(np.abs(below - target).argmin()) + 1 for target in targets if below.size}
    return distinct[sorted(nearest)]


def bin_labels(cuts: np.ndarray, least_digits: int) -> list[str]:
    """Names of the bins with at least so many significant digits, and as many more as keep them apart."""
    if len(cuts) == 0:
        return ["all"]
    for digits in range(least_digits, 18):
        shown = [f"{cut:.{digits}g}" for cut in cuts]
        if len(set(shown)) == len(cuts):
            break
    inner = [f"[{low}, {high})" for low, high in zip(shown[:-1], shown[1:], strict=True)]
    return [f"< {shown[0]}", *inner, f">= {shown[-1]}"]
