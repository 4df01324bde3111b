"""Searches around many targets, answered side by side: one question of each search a round, all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import CITest
from ..kernels.tests.questions import Answers, Questions
from .inquiry import UNTESTED, Answer, Ask, Inquiry, Rules
from .memory import Memory


def answer_all(
    searches: Mapping[int, Inquiry],
    ci_test: CITest,
    rules: Rules,
    memory: Memory,
    n_tests: np.ndarray,
    ended: list[int],
    *,
    phase: str,
    tick: Tick,
) -> None:
    """Drive the searches to their ends.

    Parameters
    ----------
    searches : mapping from target to Inquiry
    ci_test, rules
        Who answers, and when a walk ends.
    memory : Memory
        What was told before.
    n_tests : (p, p) int64 array
        Raised by the tests done; row is the target, column whom it was about.
    ended : list of int
        The targets whose search came to its end are added to it.
    phase, tick
        Listener.

    Raises
    ------
    Stopped
        If cancelled.
    """
    asks = {t: ask for t, search in searches.items() if (ask := next(search, None)) is not None}
    ended.extend(t for t in searches if t not in asks)

    def telling(said: str, _done: int, _total: int) -> bool:
        return tick(said, len(ended), len(searches))

    while asks:
        questions = _packed(list(asks.values()), rules)
        try:
            answers = memory.answer(ci_test, questions, phase=phase, tick=telling)
        except Stopped as stopped:
            _count(stopped.partial, asks, n_tests)
            raise
        _count(answers, asks, n_tests)
        for t, reply in _by_ask(answers, asks).items():
            try:
                asks[t] = searches[t].send(reply)
            except StopIteration:
                del asks[t]
                ended.append(t)


def _packed(asks: Sequence[Ask], rules: Rules) -> Questions:
    """Questions of all searches as arrays; x before y, so that rounding does not depend on who asks."""
    sizes = [len(ask.partners) for ask in asks]
    x = np.repeat(np.array([ask.x for ask in asks], dtype=np.int64), sizes)
    y = np.fromiter(chain.from_iterable(ask.partners for ask in asks), dtype=np.int64, count=len(x))
    sets = list(chain.from_iterable(ask.sets for ask in asks))
    walks = chain.from_iterable((size,) if ask.first else (1,) * size for ask, size in zip(asks, sizes, strict=True))
    return Questions(
        x=np.minimum(x, y),
        y=np.maximum(x, y),
        members=np.fromiter(chain.from_iterable(sets), dtype=np.int32),
        ends=np.fromiter(accumulate(map(len, sets), initial=0), dtype=np.int64, count=len(sets) + 1),
        begin_of=np.fromiter(accumulate(walks, initial=0), dtype=np.int64),
        log_alpha=rules.log_alpha,
        skip=rules.skip,
    )


def _count(answers: Answers, asks: Mapping[int, Ask], n_tests: np.ndarray) -> None:
    """Raise `n_tests` by what the answers took."""
    about = chain.from_iterable(
        ((ask.partners[0],) if ask.first else ask.partners) if ask.about < 0 else (ask.about,) * _n_walks(ask)
        for ask in asks.values()
    )
    targets = np.repeat(list(asks), [_n_walks(ask) for ask in asks.values()])
    np.add.at(n_tests, (targets, np.fromiter(about, dtype=np.int64)), answers.n_tests)


def _by_ask(answers: Answers, asks: Mapping[int, Ask]) -> dict[int, list[Answer]]:
    """The answers of each search."""
    log_p = np.where(answers.tested, answers.log_p, UNTESTED).tolist()
    size = np.where(answers.tested, np.abs(np.nan_to_num(answers.statistic)), 0.0).tolist()
    told = list(map(Answer, log_p, size, answers.statistic.tolist(), answers.dof.tolist(), answers.at.tolist()))
    ends = list(accumulate(map(_n_walks, asks.values()), initial=0))
    return {t: told[begin:end] for t, begin, end in zip(asks, ends[:-1], ends[1:], strict=True)}


def _n_walks(ask: Ask) -> int:
    return 1 if ask.first else len(ask.partners)
