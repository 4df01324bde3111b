"""Working memory for the kernels of G²."""

import numpy as np

from ..kernels.ci.g2 import DiscreteSample, DiscreteScratch
from ..kernels.counting.cost_model import MAX_SHARED


def discrete_scratch(sample: DiscreteSample, size: int) -> DiscreteScratch:
    """That of one thread, for sets of up to `size` members."""
    widest = int(sample.arity.max())
    words = sample.planes.shape[1]
    return DiscreteScratch(
        z=np.empty(sample.codes.shape[1], dtype=np.int64),
        cells=np.empty(widest_cells(widest), dtype=np.int64),
        rest=np.empty(widest_cells(widest), dtype=np.int64),
        rows=np.empty(widest, dtype=np.int64),
        columns=np.empty(widest, dtype=np.int64),
        shared=np.empty((MAX_SHARED, words), dtype=np.uint64),
        masks=np.empty((size, words), dtype=np.uint64),
        state=np.empty(size + 1, dtype=np.int64),
        pair=np.full(2, -1, dtype=np.int64),
    )


def widest_cells(widest: int) -> int:
    """Cells of the largest table counted by planes."""
    return min(widest * widest, (MAX_SHARED + 2) ** 2)
