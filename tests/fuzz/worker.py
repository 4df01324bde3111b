"""The worker process: it reads case names, reports their outcomes, and has its own limits."""

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
ADDRESS_SPACE = 12 << 30  # larger allocations raise MemoryError, so that no case exhausts the machine
STACK = 8


def main() -> None:
    """Answer each line such as ``table 17 3`` (entry, seed, number) with a line of JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    warnings.simplefilter("ignore")
    sys.stdout.write("{}\n")  # reports that the worker is ready
    sys.stdout.flush()
    for line in sys.stdin:
        door, seed, number = line.split()
        rng = np.random.default_rng([int(seed), int(number), *door.encode()])
        reported = {"door": door, "number": int(number), **tried(_entered(door), rng, Watch())}
        sys.stdout.write(json.dumps(reported) + "\n")
        sys.stdout.flush()


def _entered(door: str) -> Door:
    if door == "screen":
        from .screen import visit  # this loads Streamlit, which the other entries do not need

        return visit
    return getattr(doors, door)


def tried(enter: Door, rng: np.random.Generator, watch: Watch) -> dict[str, object]:
    """Return the outcome of a case, its description, and its time and memory."""
    outcome, trace = "done", ""
    try:
        enter(rng, watch)
    except LearnersError as error:
        outcome, trace = ("refused", "") if len(str(error)) < doors.LONG else ("long message", str(error)[:200])
    except Exception as error:  # detected by the fuzzer
        outcome, trace = type(error).__name__, "".join(traceback.format_exception(error)[-STACK:])
    watch.pause()
    return {
        "outcome": outcome, "said": watch.said[:200], "trace": trace, "longest": watch.longest, "mb": watch.megabytes
    }  # fmt: skip


if __name__ == "__main__":
    main()
