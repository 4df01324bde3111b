"""How a learner talks to whoever waits for it.

A *tick* is a callable ``tick(phase, done, total) -> bool``. Learners call it at least every 100 ms with the phase's
name, the work done and the work known so far (0 = unknown), and stop with what they have as soon as it returns
False. A learner without a listener gets `silent`.
"""

from collections.abc import Callable, Iterable
from itertools import chain

Tick = Callable[[str, int, int], bool]


def silent(_phase: str, _done: int, _total: int) -> bool:
    """Listen to nothing and go on."""
    return True


def check_cancelled(tick: Tick, phase: str) -> None:
    """Tick between two steps of which neither ticks by itself; raises `Stopped` if that cancels."""
    if not tick(phase, 0, 0):
        raise Stopped


def run_steps(steps: Iterable[None], tick: Tick, phase: str) -> None:
    """Take steps that belong together, with a tick after each; raises `Stopped` after the last if one cancelled.

    `steps` takes them as it is walked: a generator that yields where a tick may come.
    """
    goes_on = True
    for _ in chain(steps, [None]):
        goes_on = goes_on and tick(phase, 0, 0)
    if not goes_on:
        raise Stopped


class Stopped(Exception):
    """Raised inside a learner to unwind once a tick cancelled it; never leaves the learner.

    `partial` holds what the interrupted step had finished, if it can tell.
    """

    def __init__(self, partial: object = None) -> None:
        super().__init__()
        self.partial = partial
