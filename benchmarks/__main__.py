"""Command line of the benchmarks: ``python -m benchmarks``.

The first argument names a measurement; without one, the papers' experiments run.
"""

from __future__ import annotations

import sys

from . import (
    calibration,
    directions,
    faults,
    few_rows,
    gate,
    greedy,
    killing,
    latent_arrows,
    noise_directions,
    orders,
    posteriors,
    queries,
    roots,
    silences,
    speed,
    users_tables,
)
from .papers import __main__ as papers
from .papers import archive, measured

NAMED = {
    "calibration": calibration.main,
    "few_rows": few_rows.main,
    "users_tables": users_tables.main,
    "speed": speed.main,
    "directions": directions.main,
    "roots": roots.main,
    "posteriors": posteriors.main,
    "orders": orders.main,
    "queries": queries.main,
    "greedy": greedy.main,
    "killing": killing.main,
    "latent_arrows": latent_arrows.main,
    "noise_directions": noise_directions.main,
    "measured": measured.main,
    "pack": archive.main,
    "silences": silences.main,
    "faults": faults.main,
    "gate": gate.main,
}


def main(argv: list[str] | None = None) -> None:
    """Pass the arguments to the measurement named by the first one, or else to the papers' experiments."""
    words = sys.argv[1:] if argv is None else argv
    if words and words[0] in NAMED:
        NAMED[words[0]](words[1:])
    else:
        papers.main(words)


if __name__ == "__main__":
    main()
