"""DE-PCS and DE-SPS: supersets of the neighbours and of the spouses of many targets, side by side.

Gasse, Aussem and Elghazel (2012), algorithm 1, lines 1 and 2; the supersets after Gasse, Aussem and Elghazel (2014).
All that the targets ask of their candidates is tested in batches, which kernels write and read.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np

from ..common.progress import Tick
from ..independence import Batch
from ..kernels.h2pc.pruning import Lists, find_turns, spouse_tests, take_in, walks_of
from ..kernels.tests.pair_pools import PairPools
from .requests import UNTESTED, MarginalTests, strongest_first
from .target_search import TargetSearch
from .tester import Tester

AT_ONCE = 20_000  # walks of a batch, or a few more: what kernels can't be stopped at takes some 10 ms
POOLS = 1_000_000  # members of their pools, or one pool more
NUMBERS = ("log_p", "statistic", "dof")

Telling = Callable[[int], Tick]  # a tick that tells of so many targets


def find_partners(around: Sequence[TargetSearch], tester: Tester, phase: str, telling: Telling) -> None:
    """DE-PCS: partners that no single other one separates from the target, the strongest first; asked weakest first.

    Raises
    ------
    Stopped
        If cancelled.
    """
    found = [one.candidates for one in around]
    begin = _begin([len(one.nodes) for one in found])
    numbers = [np.fromiter(chain.from_iterable(getattr(one, name) for one in found), np.float64) for name in NUMBERS]
    node = np.fromiter(chain.from_iterable(one.nodes for one in found), np.int64)
    owner = np.repeat(np.arange(len(found)), np.diff(begin))
    targets = np.array([one.t for one in around], dtype=np.int64)
    lists = Lists(
        target=targets,
        base=np.full(len(found), -1),
        begin=begin[:-1],
        length=np.diff(begin),
        turn=np.empty(len(found), dtype=np.int64),
        members=strongest_first(numbers[0], numbers[1], node, owner),
        node=node,
        fixed=np.concatenate([one.are_required() for one in around]),
        log_p=numbers[0],
        statistic=numbers[1],
        dof=numbers[2],
        given=np.full(len(node), -1),
    )
    if tester.rules.most >= 1:
        _prune(lists, tester, phase, lambda: telling(int((lists.turn < 0).sum())), keeps=True)
    for k, (one, candidates) in enumerate(zip(around, found, strict=True)):
        own = slice(begin[k], begin[k + 1])
        for name, column in zip(NUMBERS, numbers, strict=True):
            setattr(candidates, name, column[own].tolist())
        candidates.cond = [() if z < 0 else (z,) for z in lists.given[own].tolist()]
        one.partners = array("i", node[_members(lists, k)].tolist())


def find_spouses(
    around: Sequence[TargetSearch], marginal: MarginalTests, tester: Tester, phase: str, telling: Telling
) -> None:
    """DE-SPS: those that a partner makes dependent on the target again, unless another of them separates them given it.

    Raises
    ------
    Stopped
        If cancelled.
    """
    n_partners = [len(one.partners) for one in around]
    of_target = np.repeat(np.arange(len(around)), n_partners)
    base = np.fromiter(chain.from_iterable(one.partners for one in around), np.int64, sum(n_partners))
    target = np.array([one.t for one in around], dtype=np.int64)[of_target]
    outside = [one.outside(marginal) for one in around]
    begin = _begin([len(nodes) for nodes, _ in outside])
    node, given = (np.concatenate(columns) for columns in zip(*outside, strict=True))
    kept: list[tuple[np.ndarray, ...]] = []
    for some in _groups(np.diff(begin)[of_target], AT_ONCE):
        asked, pairs, base_begin, bases = spouse_tests(
            target[some], base[some], begin, node, given, of_target[some], tester.rules.most
        )
        if not len(asked):
            continue
        nobody = PairPools(np.zeros(len(asked) + 1, dtype=np.int64), np.empty(0, dtype=np.int32))
        sizes = np.zeros(len(asked), dtype=np.int64)
        batch = Batch(pairs, PairPools(base_begin, bases), nobody, sizes, skips_untested=tester.rules.skip)
        tick = telling(int(of_target[some.start]))
        log_p, results = tester.separate(batch, pairs[:, 0], pairs[:, 1], phase, tick)
        rows = np.flatnonzero(log_p <= tester.rules.log_alpha)
        kept.append((asked[rows] + some.start, pairs[rows, 1], log_p[rows], results.statistic[rows], results.dof[rows]))
    if not kept:
        return
    of_list, node, *numbers = map(np.concatenate, zip(*kept, strict=True))
    length = np.bincount(of_list, minlength=len(target))
    lists = Lists(
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
        _prune(lists, tester, phase, lambda: telling(len(around)), keeps=False)
    left = np.arange(len(node)) - lists.begin[of_list] < lists.length[of_list]
    spouses = np.split(node[lists.members[left]], np.searchsorted(of_target[of_list[left]], np.arange(1, len(around))))
    for one, own in zip(around, spouses, strict=True):
        one.spouses.update(own.tolist())


def _prune(lists: Lists, tester: Tester, phase: str, telling: Callable[[], Tick], *, keeps: bool) -> None:
    """Ask until no list has a turn left."""
    find_turns(lists)
    rules = tester.rules
    while len(waiting := np.flatnonzero(lists.turn >= 0)):
        for group in _groups(np.maximum(lists.length[waiting], POOLS // AT_ONCE), POOLS):
            some = waiting[group]
            pairs, base_begin, bases, pool_begin, pools, sizes = walks_of(lists, some)
            asked = PairPools(base_begin, bases), PairPools(pool_begin, pools)
            batch = Batch(pairs, *asked, sizes, skips_untested=rules.skip)
            log_p, found = tester.separate(batch, pairs[:, 0], pairs[:, 1], phase, telling())
            told = log_p, found.statistic, found.dof, found.cond
            take_in(lists, some, *told, UNTESTED, rules.log_alpha, rules.skip, keeps)


def _groups(work: np.ndarray, most: int) -> Iterator[slice]:
    """Slices of what lies side by side, each of so much work or of a single one."""
    group, begin = np.cumsum(work) // most, 0
    for end in [*(np.flatnonzero(np.diff(group)) + 1).tolist(), len(work)]:
        if end > begin:
            yield slice(begin, end)
        begin = end


def _begin(lengths: Sequence[int] | np.ndarray) -> np.ndarray:
    """Where lists of these lengths begin, one after the other, and where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _members(lists: Lists, q: int) -> np.ndarray:
    return lists.members[lists.begin[q] : lists.begin[q] + lists.length[q]]
