"""Local scores of one variable given its parents, many candidate parents at a time.

`score_families(sample, child, parents, candidates, out)` serves every kind of data: `out[c]` becomes the score of
`child` given `parents` and, unless it is -1, the candidate ``candidates[c]``. What depends on the parents alone is done
once for all candidates. `parents` and `candidates` are int64 arrays. A score is the fit less the price of the
parameters, which alone hangs on the penalty. A `FamilyCache` remembers scores by the XOR of
random 64-bit keys, one an edge and one a child, so that two of m families share a key with probability m² / 2^65.

Runs that come back to the same data have `KnownFits` in common as well. The last digits of a fit hang on the order of
the parents and on which of them came as a candidate, so that it is remembered by these: what is recalled is what the
same code computed.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ..compiling import kernel
from .bge_families import BGeFamilies, fit_bge, price_bge
from .discrete_families import DiscreteFamilies, fit_discrete, price_discrete
from .embedded_families import EmbeddedFamilies, fit_embedded, price_embedded
from .gaussian_families import GaussianFamilies, fit_gaussian, price_gaussian
from .holed_families import HoledFamilies, fit_holed

FITS = {
    DiscreteFamilies: fit_discrete,
    GaussianFamilies: fit_gaussian,
    BGeFamilies: fit_bge,
    EmbeddedFamilies: fit_embedded,
    HoledFamilies: fit_holed,
}
PRICES = {
    DiscreteFamilies: price_discrete,
    GaussianFamilies: price_gaussian,
    BGeFamilies: price_bge,
    EmbeddedFamilies: price_embedded,
    HoledFamilies: price_discrete,
}
LEFT, RIGHT = np.uint64(7), np.uint64(57)  # bits that a key is turned by, so that the order counts


class KnownFits(NamedTuple):
    """Open addressing: `keys` (2^m,) uint64 with 0 for free, `values` (2^m,) float64, `used` (1,) int64.

    `node_key` (2 p + 1,) uint64: of each node as child or parent, of each as candidate, and of no candidate. No places
    at all where a run shares nothing.
    """

    keys: np.ndarray
    values: np.ndarray
    used: np.ndarray
    node_key: np.ndarray


class FamilyCache(NamedTuple):
    """Open addressing, as `KnownFits`. `edge_key` (p, p) uint64: the key of i -> j at [j, i], of the child j at [j, j].

    `fits` are what other runs have left.
    """

    keys: np.ndarray
    values: np.ndarray
    used: np.ndarray
    edge_key: np.ndarray
    fits: KnownFits


def fit_families(sample, child, parents, candidates, out):
    """How well the child fits given the parents and each candidate, by kind of data (see the head of the file)."""
    FITS[type(sample)](sample, child, parents, candidates, out)


@overload(fit_families)
def _fit_families(sample, child, parents, candidates, out):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    fit = FITS[sample.instance_class]
    return lambda sample, child, parents, candidates, out: fit(sample, child, parents, candidates, out)


def charge_families(sample, child, parents, candidates, out):
    """Subtract the price of the parameters from each fit."""
    PRICES[type(sample)](sample, child, parents, candidates, out)


@overload(charge_families)
def _charge_families(sample, child, parents, candidates, out):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    charge = PRICES[sample.instance_class]
    return lambda sample, child, parents, candidates, out: charge(sample, child, parents, candidates, out)


@kernel
def score_families(sample, child, parents, candidates, out):
    """Score the child given the parents and each candidate (see the head of the file)."""
    fit_families(sample, child, parents, candidates, out)
    charge_families(sample, child, parents, candidates, out)


@kernel
def score_new(sample, cache, child, parents, candidates, out):
    """As `score_families`, of families that the cache does not have; fits that other runs left are not counted again.

    New ones are stored while half of the places are free.
    """
    fits = cache.fits
    if fits.keys.shape[0] == 0:
        score_families(sample, child, parents, candidates, out)
        return
    p, m = fits.node_key.shape[0] // 2, candidates.shape[0]
    base = fits.node_key[child]
    for k in parents:
        base = turned(base) ^ fits.node_key[k]
    missing, which = np.empty(m, np.int64), np.empty(m, np.int64)
    n = 0
    for c in range(m):
        key = key_of_candidate(fits, base, p, candidates[c])
        at = find(fits.keys, key)
        if fits.keys[at] != 0:
            out[c] = fits.values[at]
        else:
            missing[n], which[n] = candidates[c], c
            n += 1
    if n:
        found = np.empty(n)
        fit_families(sample, child, parents, missing[:n], found)
        for c in range(n):
            out[which[c]] = found[c]
            if 2 * (fits.used[0] + 1) <= fits.keys.shape[0]:
                remember(fits, key_of_candidate(fits, base, p, missing[c]), found[c])
    charge_families(sample, child, parents, candidates, out)


@kernel
def key_of_candidate(fits, base, p, candidate):
    """Key of a fit, from that of the child and the parents in their order; never 0."""
    key = turned(base) ^ fits.node_key[p + candidate if candidate >= 0 else 2 * p]
    return key if key != 0 else np.uint64(1)


@kernel
def turned(key):
    """The bits of a key, those that leave on the left back on the right."""
    return (key << LEFT) | (key >> RIGHT)


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
    """Store the score, or the fit, of a family that is not there yet."""
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
        score_new(sample, cache, child, parents, np.array([-1]), out)
        remember(cache, key, out[0])
        return out[0]
    return cache.values[at]


@kernel
def network_score(sample, cache, amat, local):
    """Score of the DAG `amat` (p, p) bool, and into `local` (p,) that of each family.

    The cache must have room for p scores.
    """
    total = 0.0
    for j in range(amat.shape[0]):
        local[j] = local_score(sample, cache, j, np.flatnonzero(amat[:, j]))
        total += local[j]
    return total
