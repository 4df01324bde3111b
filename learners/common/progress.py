"""Progress reports and cancellation.

A *tick* is a callable ``tick(phase, done, total) -> bool``. Learners call it at least every 100 ms with the name of the
phase, the work done and the known total (0 if unknown). When it returns False they stop and return what they have.
Without a listener, the tick is `silent`.
"""

from collections.abc import Callable, Iterable
from itertools import chain

Tick = Callable[[str, int, int], bool]


def silent(_phase: str, _done: int, _total: int) -> bool:
    """Ignore the progress and continue."""
    return True


class LatchedTick:
    """A tick that stays cancelled: after its listener returned False, it returns False without calling it again.

    Attributes
    ----------
    is_cancelled : bool
    """

    def __init__(self, tick: Tick) -> None:
        self._tick, self.is_cancelled = tick, False

    def __call__(self, phase: str, done: int, total: int) -> bool:
        """Report progress; return False if this call or an earlier one cancelled the run."""
        self.is_cancelled = self.is_cancelled or not self._tick(phase, done, total)
        return not self.is_cancelled


def check_cancelled(tick: Tick, phase: str) -> None:
    """Call the tick between two steps that do not call it themselves; raise `Stopped` if it cancels."""
    if not tick(phase, 0, 0):
        raise Stopped


def run_steps(steps: Iterable[None], tick: Tick, phase: str) -> None:
    """Run steps that belong together, with a tick after each; raise `Stopped` after the last one if a tick cancelled.

    `steps` runs them while it is iterated: a generator that yields where a tick may come.
    """
    wanted = True
    for _ in chain(steps, [None]):
        wanted = wanted and tick(phase, 0, 0)
    if not wanted:
        raise Stopped


class Stopped(Exception):
    """Raised inside a learner after a tick cancelled it; never leaves the learner.

    `partial` holds the finished part of the interrupted step, where there is one.
    """

    def __init__(self, partial: object = None) -> None:
        super().__init__()
        self.partial = partial
