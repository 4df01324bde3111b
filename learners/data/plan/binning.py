"""Cut numbers into bins, and name the bins."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ...common.checks import check_choice, check_count, check_sequence, is_number
from ...common.errors import ParameterError
from ...common.wording import shown_value

FINITE = sys.float_info.max
MAX_BINS = 1_000
Method = Literal["frequency", "width", "cuts"]


@dataclass(frozen=True)
class Binning:
    """A rule that cuts numbers into levels.

    Attributes
    ----------
    method : "frequency", "width" or "cuts"
        Bins of about equally many rows, of equal width, or between the given cut points.
    bins : int, default 3
        Number of bins wanted, 2 to 1,000; ties can make them fewer. Not used by "cuts".
    cuts : tuple of float
        Cut points of method "cuts", at least one; a number equal to a cut point falls above it.
    """

    method: Method = "frequency"
    bins: int = 3
    cuts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_choice("method", self.method, get_args(Method))
        check_count("bins", self.bins, 2)
        if self.bins > MAX_BINS:
            raise ParameterError(f"bins must be at most {MAX_BINS:,}, got {shown_value(self.bins)}")
        check_sequence("cuts", self.cuts)
        finite = all(is_number(cut) and -FINITE <= cut <= FINITE for cut in self.cuts)
        if not finite or (self.method == "cuts" and not len(self.cuts)):
            shown = shown_value(self.cuts)
            raise ParameterError(f"cuts must be one or more finite numbers, got {shown}. Choose others")
        object.__setattr__(self, "cuts", tuple(sorted({float(cut) for cut in self.cuts})))


def cut_points(values: np.ndarray, binning: Binning) -> np.ndarray:
    """Return the cut points between the bins of a numeric column.

    Parameters
    ----------
    values : (n,) float array
        Infinite numbers and NaN are ignored.
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
    # Cut at the values that make the bins most equal in rows; ties stay together.
    below = np.cumsum(counts)[:-1]
    targets = values.size * np.arange(1, binning.bins) / binning.bins
    nearest = {int(np.abs(below - target).argmin()) + 1 for target in targets if below.size}
    return distinct[sorted(nearest)]


def bin_labels(cuts: np.ndarray, least_digits: int) -> list[str]:
    """Return the names of the bins, with `least_digits` significant digits, or more if names would coincide."""
    if len(cuts) == 0:
        return ["all"]
    for digits in range(least_digits, 18):
        shown = [f"{cut:.{digits}g}" for cut in cuts]
        if len(set(shown)) == len(cuts):
            break
    inner = [f"[{low}, {high})" for low, high in zip(shown[:-1], shown[1:], strict=True)]
    return [f"< {shown[0]}", *inner, f">= {shown[-1]}"]
