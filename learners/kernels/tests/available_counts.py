"""G² of tables with holes: each test counts the rows that have x, y and the whole set."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.available import available_codes_g2, available_planes_g2, mark_available, pick_rows
from ..counting.contingency import n_cells
from ..counting.cost_model import planes_win
from .embedded import note_rows
from .separation import DiscreteSample, DiscreteScratch, dof_of, g2


class HoledSample(NamedTuple):
    """Codes with holes: `counted` as if there were none, `hole`, `there` as in `counting.available`, and all rows."""

    counted: DiscreteSample
    hole: np.ndarray
    there: np.ndarray
    n: int


class HoledScratch(NamedTuple):
    """Working memory of one thread: `counting` as for G², `mask` (words,) uint64, `picked` (n,) int64.

    `rows` (3,) int64 says how many rows the last test had, and the fewest and most of any.
    """

    counting: DiscreteScratch
    mask: np.ndarray
    picked: np.ndarray
    rows: np.ndarray


@kernel
def decide_available(sample, x, y, cond, size, scratch):
    """(G², dof, tested) on the rows that have all."""
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on who asks
    counted, counting, mask = sample.counted, scratch.counting, scratch.mask
    if not mark_available(sample.hole, sample.there, x, y, cond, size, mask):
        n = counted.n
        half, seen = g2(counted, x, y, cond[:size], size, counting)
    elif planes_win(counted.arity, counted.first, mask.shape[0], False, counted.codes.shape[1], x, y, cond, size):
        n, half, seen = available_planes_g2(counted, x, y, cond, size, mask, counting)
    else:
        m, units = pick_rows(mask, counted.weights, scratch.picked)
        n = int(round(units * counted.unit))
        half, seen = available_codes_g2(
            counted.codes, counted.arity, counted.weights, x, y, cond, size, counted.xlogx, scratch.picked[:m],
            counting.z,
        )  # fmt: skip
        half *= counted.unit
    note_rows(scratch.rows, n)
    dof, _ = dof_of(counted, x, y, cond, size, seen)
    enough = n >= counted.rows_per_cell * n_cells(counted.arity, x, y, cond, size)
    return max(2.0 * half, 0.0), dof, n > 0 and enough
