"""How a learner talks to whoever waits for it.

A *tick* is a callable ``tick(phase, done, total) -> bool``. Learners call it at least every 100 ms with the phase's
name, the work done and the work known so far (0 = unknown), and stop with what they have as soon as it returns
False. A learner without a listener gets `silent`.
"""

from collections.abc import Callable

Tick = Callable[[str, int, int], bool]


def silent(_phase: str, _done: int, _total: int) -> bool:
    """Listen to nothing and go on."""
    return True


class Stopped(Exception):
    """Raised inside a learner to unwind once a tick cancelled it; never leaves the learner.

    `partial` holds what the interrupted step had finished, if it can tell.
    """

    def __init__(self, partial: object = None) -> None:
        super().__init__()
        self.partial = partial
