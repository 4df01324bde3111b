"""``python -m benchmarks``: the papers' experiments; ``python -m benchmarks speed``: speed beside other programs."""

from __future__ import annotations

import sys

from . import speed
from .papers import __main__ as papers


def main(argv: list[str] | None = None) -> None:
    """Hand the words over: to the measurements of speed if the first says so, else to the experiments."""
    words = sys.argv[1:] if argv is None else argv
    if words[:1] == ["speed"]:
        speed.main(words[1:])
    else:
        papers.main(words)


if __name__ == "__main__":
    main()
