"""Local scores of one variable given its parents, many candidate parents at a time.

`score_families(sample, child, parents, candidates, out)` serves every kind of data: `out[c]` becomes the score of
`child` given `parents` and, unless it is -1, the candidate ``candidates[c]``. What depends on the parents alone is done
once for all candidates. `parents` and `candidates` are int64 arrays. A `FamilyCache` remembers scores by the XOR of
random 64-bit keys, one an edge and one a child, so that two of m families share a key with probability m² / 2^65.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ..compiling import kernel
from .bge_families import BGeFamilies, score_bge
from .discrete_families import DiscreteFamilies, score_discrete
from .embedded_families import EmbeddedFamilies, score_embedded
from .gaussian_families import GaussianFamilies, score_gaussian
from .holed_families import HoledFamilies, score_holed

SCORERS = {
    DiscreteFamilies: score_discrete,
    GaussianFamilies: score_gaussian,
    BGeFamilies: score_bge,
    EmbeddedFamilies: score_embedded,
    HoledFamilies: score_holed,
}


class FamilyCache(NamedTuple):
    """Open addressing: `keys` (2^m,) uint64 with 0 for free, `values` (2^m,) float64, `used` (1,) int64.

    `edge_key` (p, p) uint64: the key of i -> j at [j, i], of the child j itself at [j, j].
    """

    keys: np.ndarray
    values: np.ndarray
    used: np.ndarray
    edge_key: np.ndarray


def score_families(sample, child, parents, candidates, out):
    """Score the child given the parents and each candidate, by kind of data (see the head of the file)."""
    SCORERS[type(sample)](sample, child, parents, candidates, out)


@overload(score_families)
def _score_families(sample, child, parents, candidates, out):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    scorer = SCORERS[sample.instance_class]
    return lambda sample, child, parents, candidates, out: scorer(sample, child, parents, candidates, out)


@kernel
def find(keys, key):
    """Where `key` is, or where it would go."""
    last = keys.shape[0] - 1
    at = np.int64(key & np.uint64(last))
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & last
    return at


@kernel
def remember(cache, key, value):
    """Store the score of a family that is not there yet."""
    at = find(cache.keys, key)
    cache.keys[at] = key
    cache.values[at] = value
    cache.used[0] += 1


@kernel
def rehash(keys, values, cache):
    """Move all entries to the larger, empty `cache`."""
    for at in range(keys.shape[0]):
        if keys[at] != 0:
            remember(cache, keys[at], values[at])


@kernel
def family_key(edge_key, child, parents):
    """Key of a family."""
    key = edge_key[child, child]
    for i in parents:
        key ^= edge_key[child, i]
    return key


@kernel
def local_score(sample, cache, child, parents):
    """Score of one family, from the cache or into it."""
    key = family_key(cache.edge_key, child, parents)
    at = find(cache.keys, key)
    if cache.keys[at] != key:
        out = np.empty(1)
        score_families(sample, child, parents, np.array([-1]), out)
        remember(cache, key, out[0])
        return out[0]
    return cache.values[at]
