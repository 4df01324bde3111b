"""Runs that a test cancels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from learners import LearnResult
from learners.common.progress import Tick


def cut_short(run: Callable[[Tick], LearnResult], at: Iterable[int] | None = None) -> Iterator[LearnResult]:
    """Yield the result of ``run(tick)`` cancelled at its first tick, at its second, and so on.

    It ends with the first run that is over before the question of that number is asked. How many a run asks depends on
    the clock, so this is found out anew for each number and not counted beforehand; the first question is always asked.

    Each result is incomplete, says that it was cancelled and has a trace that rebuilds its graph, and nobody asked
    again after the no.

    Parameters
    ----------
    run : callable
        Takes a listener and returns a result.
    at : iterable of int, optional
        The questions to answer no, counted from 1 and rising; the first must be 1. Default: all of them.
    """
    for no_at in at or count(1):
        asked = []

        def listen(*said: object, asked: list = asked, no_at: int = no_at) -> bool:
            asked.append(said)
            return len(asked) < no_at

        result = run(listen)
        if len(asked) < no_at:
            assert no_at > 1, "no question was asked"
            assert result.complete
            return
        assert len(asked) == no_at
        assert not result.complete
        assert any("cancelled" in warning for warning in result.warnings)
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
        yield result
