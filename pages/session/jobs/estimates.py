"""How long a run may take, as a range: the learner's own estimate, corrected by how long its runs took here."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict, deque
from functools import cache

UNTRIED = 4.0  # how many times more or less a run takes than an estimate that no run has corrected
TRIED = 2.5
REMEMBERED = 5  # runs of a learner
TOO_SHORT = 0.05  # seconds of a run that says nothing of longer ones


class Experience:
    """What runs took, compared with their estimates; of a run nothing else is kept, so all visitors share it."""

    def __init__(self) -> None:
        self._log_ratios: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, key: str, estimated: float, taken: float) -> None:
        """A run of the learner `key` took so many seconds."""
        if taken > TOO_SHORT:
            self._log_ratios[key].append(math.log(taken / estimated))

    def range_of(self, key: str, estimated: float) -> tuple[float, float]:
        """Seconds from and to which a run may take."""
        known = self._log_ratios.get(key)
        if not known:
            return estimated / UNTRIED, estimated * UNTRIED
        middle = estimated * math.exp(statistics.median(known))
        return middle / TRIED, middle * TRIED


@cache
def experience() -> Experience:
    """The one of this process."""
    return Experience()
