"""The kernels that walk with any test, for tests that have none of their own."""

from __future__ import annotations

from typing import Any

from ..common.parallel import Kernel
from ..kernels.tests.any_walks import any_batch, any_edges, any_new_sets, any_pools
from ..kernels.tests.results import TestResults
from .walks import Batch, LevelWalks, NewSetWalks, PoolWalks, Walks


def any_kernel(sample: Any, scratch: Any, walks: Walks, log_alpha: float, results: TestResults) -> Kernel:
    """The kernel for these walks, with `scratch` for one thread; the test is that of the kind of `sample`."""
    match walks:
        case LevelWalks(adjacency=adjacency):
            sets, kernel = (adjacency, *walks.lists), any_edges
        case NewSetWalks(pools=pools, width=width):
            sets, kernel = (*pools, width), any_new_sets
        case PoolWalks(pools=pools, skip=skip):
            sets, kernel = (*pools, skip), any_pools
        case Batch(bases=bases, pools=pools, sizes=sizes, skips_untested=skips):
            sets, kernel = (*bases, *pools, sizes, skips), any_batch
    given, rest = (sample, walks.pairs), (log_alpha, results, scratch)
    return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)
