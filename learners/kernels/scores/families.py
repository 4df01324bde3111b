"""Local scores of a variable given its parents, for many candidate parents at a time.

`score_families` serves every kind of data. What depends on the parents alone is computed once for all candidates. A
score is the fit minus the penalty of the parameters. A `FamilyCache` stores scores under the XOR of random 64-bit keys,
one for each edge and one for each child, so that two of m families share a key with probability m² / 2^65.

Runs on the same data also share fits. The last digits of a fit depend on the order of the parents and on which of them
came as a candidate, so it is stored under a key of these: what is looked up is what the same code computed.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ..compiling import kernel
from ..hash_table import find_slot, first_slot, rotate_bits
from .bdeu_and_bic import DiscreteFamilies, fit_discrete, fit_discrete_above, penalize_discrete
from .bge import BGeFamilies, fit_bge, penalize_bge
from .degenerate_gaussian import EmbeddedFamilies, fit_embedded, penalize_embedded
from .gaussian import GaussianFamilies, fit_gaussian, fit_gaussian_above, penalize_gaussian
from .node_average import IncompleteFamilies, fit_incomplete

KEYS_AT_ONCE = 256  # number of keys that are looked up at the same time
ROUNDING = 1e-9  # of the floor of a fit, more than sums in another order differ

FITS = {
    DiscreteFamilies: fit_discrete,
    GaussianFamilies: fit_gaussian,
    BGeFamilies: fit_bge,
    EmbeddedFamilies: fit_embedded,
    IncompleteFamilies: fit_incomplete,
}

FITS_ABOVE = {DiscreteFamilies: fit_discrete_above, GaussianFamilies: fit_gaussian_above}

PENALTIES = {
    DiscreteFamilies: penalize_discrete,
    GaussianFamilies: penalize_gaussian,
    BGeFamilies: penalize_bge,
    EmbeddedFamilies: penalize_embedded,
    IncompleteFamilies: penalize_discrete,
}


class SharedFits(NamedTuple):
    """Hash table of fits that runs share; without slots where nothing is shared.

    Attributes
    ----------
    keys : (2^m,) uint64 array
    values : (2^m,) float64 array
    used : (1,) int64 array
    node_key : (2 p + 1,) uint64 array
        Key of each node as child or parent, of each as candidate, and of no candidate.
    """

    keys: np.ndarray
    values: np.ndarray
    used: np.ndarray
    node_key: np.ndarray


class NewScores(NamedTuple):
    """Scores to be stored in a cache.

    Attributes
    ----------
    keys : (m,) uint64 array
    values : (m,) float64 array
    used : (1,) int64 array
        Their number.
    """

    keys: np.ndarray
    values: np.ndarray
    used: np.ndarray


class FamilyCache(NamedTuple):
    """Hash table of scores.

    Attributes
    ----------
    keys : (m,) uint64 array
    values : (m,) float64 array
    used : (1,) int64 array
    edge_key : (p, p) uint64 array
        Key of i -> j at [j, i], of the child j at [j, j].
    fits : SharedFits
    """

    keys: np.ndarray
    values: np.ndarray
    used: np.ndarray
    edge_key: np.ndarray
    fits: SharedFits


def fit_families(sample, child, parents, candidates, out):
    """Compute the fit of the child given the parents and each candidate, by the type of the sample.

    Parameters
    ----------
    sample : DiscreteFamilies, IncompleteFamilies, GaussianFamilies, BGeFamilies or EmbeddedFamilies
    child : int
    parents : int64 array
    candidates : (m,) int64 array
        -1 for no candidate.
    out : (m,) float64 array
        ``out[c]`` becomes the fit given the parents and ``candidates[c]``.
    """
    FITS[type(sample)](sample, child, parents, candidates, out)


@overload(fit_families)
def _fit_families(sample, child, parents, candidates, out):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    fit = FITS[sample.instance_class]
    return lambda sample, child, parents, candidates, out: fit(sample, child, parents, candidates, out)


def penalize_families(sample, child, parents, candidates, out):
    """Subtract the penalty of the parameters from each fit; arguments as in `fit_families`."""
    PENALTIES[type(sample)](sample, child, parents, candidates, out)


@overload(penalize_families)
def _penalize_families(sample, child, parents, candidates, out):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    charge = PENALTIES[sample.instance_class]
    return lambda sample, child, parents, candidates, out: charge(sample, child, parents, candidates, out)


def fit_families_above(sample, child, parents, candidates, floors, out):
    """Compute fits as `fit_families`; one that is not above its floor may become -inf.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_families`.
    floors : (m,) float64 array
    """
    if type(sample) in FITS_ABOVE:
        FITS_ABOVE[type(sample)](sample, child, parents, candidates, floors, out)
    else:
        fit_families(sample, child, parents, candidates, out)


@overload(fit_families_above)
def _fit_families_above(sample, child, parents, candidates, floors, out):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    if sample.instance_class in FITS_ABOVE:
        fit = FITS_ABOVE[sample.instance_class]
        return lambda sample, child, parents, candidates, floors, out: fit(
            sample, child, parents, candidates, floors, out
        )
    return lambda sample, child, parents, candidates, floors, out: fit_families(  # noqa: ARG005  (numba matches by name)
        sample, child, parents, candidates, out
    )


@kernel
def score_families(sample, child, parents, candidates, out):
    """Score the child given the parents and each candidate.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_families`.
    """
    fit_families(sample, child, parents, candidates, out)
    penalize_families(sample, child, parents, candidates, out)


@kernel
def score_new_above(sample, cache, child, parents, candidates, floor, out):
    """Score families as `score_new`; a score that is not above `floor` may become -inf.

    Parameters
    ----------
    sample, cache, child, parents, candidates, out
        As in `score_new`.
    floor : float
    """
    if cache.fits.keys.shape[0]:  # what runs share is computed in full
        score_new(sample, cache, child, parents, candidates, out)
        return
    floors = np.full(candidates.shape[0], -floor)
    penalize_families(sample, child, parents, candidates, floors)
    for c in range(floors.shape[0]):
        floors[c] = -floors[c] - ROUNDING * abs(floors[c])
    fit_families_above(sample, child, parents, candidates, floors, out)
    penalize_families(sample, child, parents, candidates, out)


@kernel
def score_new(sample, cache, child, parents, candidates, out):
    """Score families that the cache does not contain; shared fits are not computed again.

    New fits are stored while half of the slots are free.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_families`.
    cache : FamilyCache
    """
    fits = cache.fits
    if fits.keys.shape[0] == 0:
        score_families(sample, child, parents, candidates, out)
        return
    p, m = fits.node_key.shape[0] // 2, candidates.shape[0]
    base = fits.node_key[child]
    for k in parents:
        base = rotate_bits(base) ^ fits.node_key[k]
    missing, which = np.empty(m, np.int64), np.empty(m, np.int64)
    n = 0
    for c in range(m):
        key = key_of_candidate(fits, base, p, candidates[c])
        at = find_slot(fits.keys, key)
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
                insert_score(fits, key_of_candidate(fits, base, p, missing[c]), found[c])
    penalize_families(sample, child, parents, candidates, out)


@kernel
def key_of_candidate(fits, base, p, candidate):
    """Return the key of a fit, never 0.

    Parameters
    ----------
    fits : SharedFits
    base : uint64
        Key of the child and the parents in their order.
    p : int
    candidate : int
    """
    key = rotate_bits(base) ^ fits.node_key[p + candidate if candidate >= 0 else 2 * p]
    return key if key != 0 else np.uint64(1)


@kernel
def insert_score(cache, key, value):
    """Store the score, or the fit, of a family that is not there yet."""
    at = find_slot(cache.keys, key)
    cache.keys[at] = key
    cache.values[at] = value
    cache.used[0] += 1


@kernel
def add_score(new, key, value):
    """Append a score to `new`, which must have room."""
    at = new.used[0]
    new.keys[at], new.values[at] = key, value
    new.used[0] += 1


@kernel
def store_scores(new, cache):
    """Move all scores of `new`, none of which is in the cache, to the cache, which must have room."""
    for k in range(new.used[0]):
        insert_score(cache, new.keys[k], new.values[k])
    new.used[0] = 0


@kernel
def look_up(cache, keys, values):
    """Write the score of each key to `values`, NaN for a score that the cache lacks.

    All first slots of a block are read before any is compared, because memory then serves many at the same time.
    """
    first = np.empty(min(keys.shape[0], KEYS_AT_ONCE), np.uint64)
    for begin in range(0, keys.shape[0], KEYS_AT_ONCE):
        end = min(begin + KEYS_AT_ONCE, keys.shape[0])
        for k in range(begin, end):
            at = first_slot(cache.keys.shape[0], keys[k])
            first[k - begin], values[k] = cache.keys[at], cache.values[at]
        for k in range(begin, end):
            if first[k - begin] == 0:
                values[k] = np.nan
            elif first[k - begin] != keys[k]:
                at = find_slot(cache.keys, keys[k])
                values[k] = cache.values[at] if cache.keys[at] != 0 else np.nan


@kernel
def rehash(keys, values, cache):
    """Move all entries to the larger, empty `cache`."""
    for at in range(keys.shape[0]):
        if keys[at] != 0:
            insert_score(cache, keys[at], values[at])


@kernel
def family_key(edge_key, child, parents):
    """Return the key of a family."""
    key = edge_key[child, child]
    for i in parents:
        key ^= edge_key[child, i]
    return key


@kernel
def local_score(sample, cache, child, parents):
    """Return the score of one family, from the cache or computed and stored.

    Parameters
    ----------
    sample : families of a score
    cache : FamilyCache
        With room for one score.
    child : int
    parents : int64 array
        Ascending.
    """
    key = family_key(cache.edge_key, child, parents)
    at = find_slot(cache.keys, key)
    if cache.keys[at] != key:
        out = np.empty(1)
        score_new(sample, cache, child, parents, np.array([-1]), out)
        insert_score(cache, key, out[0])
        return out[0]
    return cache.values[at]


@kernel
def network_score(sample, cache, amat, local):
    """Return the score of a DAG, and write those of its families to `local`.

    Parameters
    ----------
    sample : families of a score
    cache : FamilyCache
        With room for p scores.
    amat : (p, p) bool array
    local : (p,) float64 array
    """
    total = 0.0
    for j in range(amat.shape[0]):
        local[j] = local_score(sample, cache, j, np.flatnonzero(amat[:, j]))
        total += local[j]
    return total
