"""The interface of all scores: a function of DAGs bound to data, a sum over nodes and their parents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from typing import Self

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..common.wording import quoted
from ..data.dataset import Dataset
from ..graphs.graph import PDAG, check_dag, rows_of
from ..kernels.hash_table import spread_entries
from ..kernels.scores.bdeu_and_bic import DiscreteFamilies
from ..kernels.scores.bge import BGeFamilies
from ..kernels.scores.degenerate_gaussian import EmbeddedFamilies
from ..kernels.scores.families import FamilyCache, SharedFits, local_score, network_score, rehash
from ..kernels.scores.gaussian import GaussianFamilies
from ..kernels.scores.node_average import IncompleteFamilies

Sample = DiscreteFamilies | IncompleteFamilies | GaussianFamilies | BGeFamilies | EmbeddedFamilies
FIRST_SLOTS = 4_096  # number of slots of an empty cache; it grows as the cache fills
# Numbers of slots: a cache quadruples below 16 MB, doubles below 64 MB, and grows by at most a quarter from there on.
LARGE_CACHE, VERY_LARGE_CACHE = 1 << 20, 1 << 22
FIRST_FIT_SLOTS, MAX_FIT_SLOTS = (
    1 << 14,
    1 << 22,
)  # number of slots for the fits that runs share; 16 bytes each, so at most 67 MB


class FitMemory:
    """Fits that the scores of several runs on the same data share: see `kernels.scores.families`.

    A run with a memory reports the same results as one without it, to the last digit. Not thread-safe.

    Parameters
    ----------
    p : int
        Number of variables.
    """

    def __init__(self, p: int) -> None:
        node_key = np.random.default_rng(0).integers(1, 2**64, 2 * p + 1, dtype=np.uint64)
        self._fits = _empty_fits(FIRST_FIT_SLOTS, node_key)

    def fits(self) -> SharedFits:
        """Return the fits, with room for further ones."""
        room = len(self._fits.keys)
        if 4 * int(self._fits.used[0]) > room and room < MAX_FIT_SLOTS:
            old, self._fits = self._fits, _empty_fits(4 * room, self._fits.node_key)
            rehash(old.keys, old.values, self._fits)
        return self._fits


class Score(ABC):
    """Decomposable score of DAGs; higher is better.

    Attributes
    ----------
    names : tuple of str
    n_scores : int
        Number of local scores computed so far; cached ones do not count.
    """

    names: tuple[str, ...]

    @property
    @abstractmethod
    def n_scores(self) -> int:
        """Number of local scores computed so far; cached ones do not count."""

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    @abstractmethod
    def local(self, node: int, parents: Iterable[int] = ()) -> float:
        """Return the score of `node` given `parents`, in nats.

        Raises
        ------
        ParameterError
            If a node does not exist, is given twice, or is its own parent.
        """

    def network(self, dag: PDAG) -> float:
        """Return the score of a DAG: the sum of its local scores.

        Raises
        ------
        ParameterError
            If `dag` is not a DAG on the variables of the data.
        """
        self._check_network(dag)
        return float(sum(self.local(j, parents) for j, parents in enumerate(rows_of(dag.amat.T))))

    def _check_network(self, dag: PDAG) -> None:
        check_dag(dag)
        if dag.p != self.p:
            raise ParameterError(f"the graph must have a node for each of {self.p} variables, got {dag.p} nodes")


class FamilyScore(Score):
    """A score whose families are counted in kernels and cached.

    Not thread-safe.

    Attributes
    ----------
    sample : DiscreteFamilies, IncompleteFamilies, GaussianFamilies, BGeFamilies or EmbeddedFamilies
        The data in kernel form.
    cache : FamilyCache
        All local scores computed so far; its arrays grow as it fills.
    settings : dict
        Settings of the score other than the data.
    most_parents : int
        Largest number of parents that can be scored sensibly.
    widest : int or None
        Maximum number of parents, undirected edges included, of a node in the searches with this score; None if no
        search has recorded any. Larger limits on parents would have changed nothing.
    """

    settings: dict[str, float]
    widest: int | None = None
    _memory: FitMemory | None = None

    def __init__(self, names: tuple[str, ...], sample: Sample, most_parents: int | None = None) -> None:
        self.names = names
        self.sample = sample
        self.most_parents = len(names) - 1 if most_parents is None else max(0, min(most_parents, len(names) - 1))
        # Fixed keys, because the same data must give the same result.
        edge_key = np.random.default_rng(0).integers(1, 2**64, (self.p, self.p), dtype=np.uint64)
        self.cache = _empty_cache(FIRST_SLOTS, edge_key, NO_FITS)

    def emptied(self) -> Self:
        """Return the same score of the same data with an empty cache."""
        other = copy(self)
        other.cache, other.widest = _empty_cache(FIRST_SLOTS, self.cache.edge_key, self.cache.fits), None
        return other

    def forget(self) -> None:
        """Free the memory of the cached scores; `n_scores` starts again from 0."""
        self.cache = _empty_cache(FIRST_SLOTS, self.cache.edge_key, self.cache.fits)

    def remember_in(self, memory: FitMemory) -> None:
        """Look up fits in `memory`; the scores and their number stay the same."""
        self._memory = memory
        self.cache = self.cache._replace(fits=memory.fits())

    @property
    def shares_fits(self) -> bool:
        """Whether fits are shared with other runs; then only one thread at a time may score."""
        return self._memory is not None

    def meet(self, n_parents: int) -> None:
        """Record the number of parents of a node in a search."""
        self.widest = max(n_parents, self.widest or 0)

    @property
    def n_scores(self) -> int:
        """Number of local scores computed so far; cached ones do not count."""
        return int(self.cache.used[0])

    def on(self, dataset: Dataset) -> FamilyScore:
        """Return the same score, with the same settings, of other rows of the same columns."""
        return type(self)(dataset, **self.settings)

    @validated
    def local(self, node: int, parents: Iterable[int] = ()) -> float:
        """See `Score.local`."""
        parents = np.array(sorted(parents), dtype=np.int64)
        family = {node, *parents.tolist()}
        if len(family) != len(parents) + 1 or min(family) < 0 or max(family) >= self.p:
            raise ParameterError(
                f"a family needs different nodes of 0 .. {self.p - 1}, got node {node} with parents "
                f"{quoted(parents.tolist())}"
            )
        self.make_room(1)
        return local_score(self.sample, self.cache, node, parents)

    @validated
    def network(self, dag: PDAG) -> float:
        """See `Score.network`."""
        self._check_network(dag)
        self.make_room(self.p)
        return network_score(self.sample, self.cache, dag.amat, np.empty(self.p))

    def alone(self) -> np.ndarray:
        """Return (p,) float64: the score of each node without parents."""
        found = np.empty(self.p)
        self.make_room(self.p)
        network_score(self.sample, self.cache, PDAG.empty(self.p).amat, found)
        return found

    def make_room(self, n: int, *, power_of_two: bool = False) -> None:
        """Enlarge the cache until a quarter of it stays free with `n` more scores, if asked to a power of two."""
        if self._memory:
            self.cache = self.cache._replace(fits=self._memory.fits())
        before = room = len(self.cache.keys)
        while 4 * (self.n_scores + n) > 3 * room or (power_of_two and room & (room - 1)):
            room = _next_number_of_slots(room)
        if room > before:
            self._enlarge(before, room)
            spread_entries(self.cache.keys, self.cache.values, before)

    def _enlarge(self, before: int, room: int) -> None:
        """Enlarge the arrays of the cache, in place unless a kernel of another thread is reading them."""
        try:
            # No local names here, because NumPy counts the references to an array before it moves its memory.
            self.cache.keys.resize(room)
            self.cache.values.resize(room)
        except ValueError:
            keys, values, _used = _slots(room)
            keys[:before], values[:before] = self.cache.keys[:before], self.cache.values[:before]
            self.cache = self.cache._replace(keys=keys, values=values)


def _next_number_of_slots(room: int) -> int:
    if room < VERY_LARGE_CACHE:
        return 4 * room if room < LARGE_CACHE else 2 * room
    return room + (1 << room.bit_length() - 1) // 4


def _slots(room: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return keys, values and the number of used slots."""
    return np.zeros(room, dtype=np.uint64), np.empty(room), np.zeros(1, dtype=np.int64)


def _empty_fits(room: int, node_key: np.ndarray) -> SharedFits:
    return SharedFits(*_slots(room), node_key)


def _empty_cache(room: int, edge_key: np.ndarray, fits: SharedFits) -> FamilyCache:
    return FamilyCache(*_slots(room), edge_key, fits)


NO_FITS = _empty_fits(0, np.empty(0, dtype=np.uint64))  # caches of a run that shares nothing
