"""The kernels that walk with any test, for tests that have none of their own."""

from __future__ import annotations

from typing import Any

from ..common.parallel import Kernel
from ..kernels.ci.generic_search import (
    generic_batch_search,
    generic_level_search,
    generic_new_set_search,
    generic_pool_search,
)
from ..kernels.ci.results import CIResults
from .walks import Batch, LevelWalks, NewSetWalks, PoolWalks, Walks


def any_kernel(sample: Any, scratch: Any, walks: Walks, log_alpha: float, results: CIResults) -> Kernel:
    """The kernel for these walks, with `scratch` for one thread; the test is that of the kind of `sample`."""
    match walks:
        case LevelWalks(adjacency=adjacency):
            sets, kernel = (adjacency, *walks.lists), generic_level_search
        case NewSetWalks(pools=pools, width=width):
            sets, kernel = (*pools, width), generic_new_set_search
        case PoolWalks(pools=pools, skip=skip):
            sets, kernel = (*pools, skip), generic_pool_search
        case Batch(bases=bases, pools=pools, sizes=sizes, skips_untested=skips):
            sets, kernel = (*bases, *pools, sizes, skips), generic_batch_search
    given, rest = (sample, walks.pairs), (log_alpha, results, scratch)
    return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)
