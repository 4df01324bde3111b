"""The process that has the cases: it reads their names, tells what became of each, and has limits of its own."""

from __future__ import annotations

import json
import resource
import sys
import traceback
import warnings
from collections.abc import Callable

import numpy as np

from learners import LearnersError

from . import doors
from .watching import Watch

Door = Callable[[np.random.Generator, Watch], None]
ADDRESS_SPACE = 12 << 30  # what is beyond raises MemoryError, so that no case can take the machine with it
STACK = 8


def main() -> None:
    """Lines such as ``table 17 3``, the door, the seed and the number; a line of JSON for each."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    warnings.simplefilter("ignore")
    sys.stdout.write("{}\n")  # ready
    sys.stdout.flush()
    for line in sys.stdin:
        door, seed, number = line.split()
        rng = np.random.default_rng([int(seed), int(number), *door.encode()])
        told = {"door": door, "number": int(number), **tried(_entered(door), rng, Watch())}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def _entered(door: str) -> Door:
    if door == "screen":
        from .screen import visit  # Streamlit, which the other doors need not wait for

        return visit
    return getattr(doors, door)


def tried(enter: Door, rng: np.random.Generator, watch: Watch) -> dict[str, object]:
    """What became of a case: its outcome, what it was about, and what it took."""
    outcome, trace = "done", ""
    try:
        enter(rng, watch)
    except LearnersError as error:
        outcome, trace = ("refused", "") if len(str(error)) < doors.LONG else ("long message", str(error)[:200])
    except Exception as error:  # what the fuzzer is for
        outcome, trace = type(error).__name__, "".join(traceback.format_exception(error)[-STACK:])
    watch.pause()
    return {
        "outcome": outcome, "said": watch.said[:200], "trace": trace, "longest": watch.longest, "mb": watch.megabytes
    }  # fmt: skip


if __name__ == "__main__":
    main()
