"""Fuzz every entry: ``python -m tests.fuzz --cases 5000 [--seed 0] [--door table] [--number 17]``."""

from __future__ import annotations

import argparse
import sys

from .running import DOORS, cases, run


def main() -> int:
    """Run the cases and print the tally; return 1 if any case failed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="tables tried; other doors get a share of it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--door", choices=tuple(DOORS), help="this one only")
    parser.add_argument("--number", type=int, help="this case of the door only")
    options = parser.parse_args()
    wanted = [case for case in cases(options.cases) if options.door in (None, case[0])]
    if options.number is not None:
        wanted = [(options.door or "table", options.number)]
    tally = run(wanted, options.seed, reported=sys.stderr.write)
    sys.stdout.write("\n".join(tally.lines()) + "\n")
    return int(not tally.clean)


if __name__ == "__main__":
    sys.exit(main())
