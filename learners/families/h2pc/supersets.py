"""DE-PCS and DE-SPS: supersets of the parents and children, and of the spouses, of several targets in parallel.

Gasse, Aussem and Elghazel (2012), algorithm 1, lines 1 and 2; the two subroutines after Gasse, Aussem and Elghazel
(2014). The tests of all targets form batches, which kernels prepare and evaluate.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np

from ...common.progress import Tick
from ...independence.set_search import BatchSearch
from ...kernels.ci.pair_pools import PairPools
from ...kernels.h2pc.pruning import PruningLists, batch_requests, record_batch, spouse_requests, start_turns
from .requests import UNTESTED, MarginalTests, strongest_first
from .target_search import TargetSearch
from .tester import Tester

MAX_WALKS = 20_000  # approximate maximum number of tests per batch; kernels prepare them in 10 ms without a stop
MAX_MEMBERS = 1_000_000  # maximum number of members of all pools of a batch; a larger pool is a batch by itself
NUMBERS = ("log_p", "statistic", "dof")

TickAfter = Callable[[int], Tick]  # the tick that reports a number of finished targets


def de_pcs(searches: Sequence[TargetSearch], tester: Tester, phase: str, tick_after: TickAfter) -> None:
    """Find PCS of each target: the dependent nodes that no other single member of PCS separates from it.

    Members are tested from the weakest to the strongest, and given the strongest others first. `pcs` of each search
    becomes PCS, the strongest first; its candidates keep their deciding tests, with dSep as the conditioning set.

    Raises
    ------
    Stopped
        If cancelled.
    """
    found = [search.candidates for search in searches]
    begin = _begin([len(own.nodes) for own in found])
    numbers = [np.fromiter(chain.from_iterable(getattr(own, name) for own in found), np.float64) for name in NUMBERS]
    node = np.fromiter(chain.from_iterable(own.nodes for own in found), np.int64)
    owner = np.repeat(np.arange(len(found)), np.diff(begin))
    targets = np.array([search.t for search in searches], dtype=np.int64)
    lists = PruningLists(
        target=targets,
        base=np.full(len(found), -1),
        begin=begin[:-1],
        length=np.diff(begin),
        turn=np.empty(len(found), dtype=np.int64),
        members=strongest_first(numbers[0], numbers[1], node, owner),
        node=node,
        fixed=np.concatenate([search.are_required() for search in searches]),
        log_p=numbers[0],
        statistic=numbers[1],
        dof=numbers[2],
        given=np.full(len(node), -1),
    )
    if tester.rules.most >= 1:
        _prune(lists, tester, phase, lambda: tick_after(int((lists.turn < 0).sum())), keeps=True)
    for k, (search, candidates) in enumerate(zip(searches, found, strict=True)):
        own = slice(begin[k], begin[k + 1])
        for name, column in zip(NUMBERS, numbers, strict=True):
            setattr(candidates, name, column[own].tolist())
        candidates.cond = [() if z < 0 else (z,) for z in lists.given[own].tolist()]
        search.pcs = array("i", node[_members(lists, k)].tolist())


def de_sps(
    searches: Sequence[TargetSearch], marginal: MarginalTests, tester: Tester, phase: str, tick_after: TickAfter
) -> None:
    """Find SPS of each target: the nodes Y outside PCS that a member X of PCS makes dependent on it.

    Y is a candidate for X if the target and Y are dependent given dSep(Y) ∪ X. It is dropped if another candidate Z for
    X separates the two given X and Z. `sps` of each search becomes the union over all X.

    Raises
    ------
    Stopped
        If cancelled.
    """
    n_members = [len(search.pcs) for search in searches]
    of_target = np.repeat(np.arange(len(searches)), n_members)
    base = np.fromiter(chain.from_iterable(search.pcs for search in searches), np.int64, sum(n_members))
    target = np.array([search.t for search in searches], dtype=np.int64)[of_target]
    outside = [search.outside(marginal) for search in searches]
    begin = _begin([len(nodes) for nodes, _ in outside])
    node, given = (np.concatenate(columns) for columns in zip(*outside, strict=True))
    kept: list[tuple[np.ndarray, ...]] = []
    for group in _groups(np.diff(begin)[of_target], MAX_WALKS):
        asked, pairs, base_begin, bases = spouse_requests(
            target[group], base[group], begin, node, given, of_target[group], tester.rules.most
        )
        if not len(asked):
            continue
        no_pools = PairPools(np.zeros(len(asked) + 1, dtype=np.int64), np.empty(0, dtype=np.int32))
        sizes = np.zeros(len(asked), dtype=np.int64)
        batch = BatchSearch(pairs, PairPools(base_begin, bases), no_pools, sizes, skips_untested=tester.rules.skip)
        tick = tick_after(int(of_target[group.start]))
        log_p, results = tester.separate(batch, pairs[:, 0], pairs[:, 1], phase, tick)
        rows = np.flatnonzero(log_p <= tester.rules.log_alpha)
        kept.append(
            (asked[rows] + group.start, pairs[rows, 1], log_p[rows], results.statistic[rows], results.dof[rows])
        )
    if not kept:
        return
    of_list, node, *numbers = map(np.concatenate, zip(*kept, strict=True))
    length = np.bincount(of_list, minlength=len(target))
    lists = PruningLists(
        target=target,
        base=base,
        begin=_begin(length)[:-1],
        length=length,
        turn=np.empty(len(target), dtype=np.int64),
        members=strongest_first(numbers[0], numbers[1], node, of_list),
        node=node,
        fixed=np.zeros(len(node), dtype=bool),
        log_p=numbers[0],
        statistic=numbers[1],
        dof=numbers[2],
        given=np.full(len(node), -1),
    )
    if tester.rules.most > 1:
        _prune(lists, tester, phase, lambda: tick_after(len(searches)), keeps=False)
    left = np.arange(len(node)) - lists.begin[of_list] < lists.length[of_list]
    bounds = np.searchsorted(of_target[of_list[left]], np.arange(1, len(searches)))
    for search, own in zip(searches, np.split(node[lists.members[left]], bounds), strict=True):
        search.sps.update(own.tolist())


def _prune(lists: PruningLists, tester: Tester, phase: str, tick_now: Callable[[], Tick], *, keeps: bool) -> None:
    """Test the members of all lists given one other member each, and drop the separated ones, until all are tested."""
    start_turns(lists)
    rules = tester.rules
    while len(waiting := np.flatnonzero(lists.turn >= 0)):
        for group in _groups(np.maximum(lists.length[waiting], MAX_MEMBERS // MAX_WALKS), MAX_MEMBERS):
            turns = waiting[group]
            pairs, base_begin, bases, pool_begin, pools, sizes = batch_requests(lists, turns)
            asked = PairPools(base_begin, bases), PairPools(pool_begin, pools)
            batch = BatchSearch(pairs, *asked, sizes, skips_untested=rules.skip)
            log_p, found = tester.separate(batch, pairs[:, 0], pairs[:, 1], phase, tick_now())
            columns = log_p, found.statistic, found.dof, found.cond
            record_batch(lists, turns, *columns, UNTESTED, rules.log_alpha, rules.skip, keeps)


def _groups(work: np.ndarray, most: int) -> Iterator[slice]:
    """Yield slices of consecutive items with about `most` work in total, or of a single item."""
    group, begin = np.cumsum(work) // most, 0
    for end in [*(np.flatnonzero(np.diff(group)) + 1).tolist(), len(work)]:
        if end > begin:
            yield slice(begin, end)
        begin = end


def _begin(lengths: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the start indices of consecutive lists with these lengths, and the end of the last."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _members(lists: PruningLists, q: int) -> np.ndarray:
    """Return the members of one list."""
    return lists.members[lists.begin[q] : lists.begin[q] + lists.length[q]]
