"""Runs that a test cancels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from learners import LearnResult
from learners.common.progress import Tick


def cut_short(run: Callable[[Tick], LearnResult], at: Iterable[int] | None = None) -> Iterator[LearnResult]:
    """Yield the result of ``run(tick)`` cancelled at its first tick, at its second, and so on.

    The iteration ends with the first run that is completed before the tick of that number. The number of ticks depends
    on the clock, so it is not known in advance. Every run has at least one tick.

    Each result is incomplete with a warning, and its trace rebuilds its graph; no tick follows the cancelled one.

    Parameters
    ----------
    run : callable
        Takes a progress listener and returns a result.
    at : iterable of int, optional
        Numbers of the ticks to cancel at, counted from 1 and ascending; the first must be 1. Default: all of them.
    """
    for no_at in at or count(1):
        asked = []

        def listen(*progress: object, asked: list = asked, no_at: int = no_at) -> bool:
            asked.append(progress)
            return len(asked) < no_at

        result = run(listen)
        if len(asked) < no_at:
            assert no_at > 1, "no question was asked"
            assert result.complete
            return
        assert len(asked) == no_at
        assert not result.complete
        assert any(warning.code == "cancelled" and "cancelled" in warning for warning in result.warnings)
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
        yield result
