"""Command line of the benchmarks: ``python -m benchmarks``.

The first argument names a measurement; without one, the papers' experiments run.
"""

from __future__ import annotations

import sys
from importlib import import_module

# Modules by argument. Only the chosen one is imported, because each needs other packages.
NAMED = {
    "calibration": "calibration",
    "cost_estimates": "cost_estimates",
    "few_rows": "few_rows",
    "users_tables": "users_tables",
    "speed": "speed",
    "true_knowledge": "true_knowledge",
    "directions": "directions",
    "roots": "roots",
    "posteriors": "posteriors",
    "orders": "orders",
    "queries": "queries",
    "read_size": "read_size",
    "greedy": "greedy",
    "killing": "killing",
    "latent_arrows": "latent_arrows",
    "lmm_threshold": "lmm_threshold",
    "noise_directions": "noise_directions",
    "measured": "papers.measured",
    "wins": "papers.wins",
    "pack": "papers.packing",
    "fresh": "papers.freshness",
    "silences": "silences",
    "faults": "faults",
    "gate": "gate",
    "gates": "gates",
}


def main(argv: list[str] | None = None) -> None:
    """Pass the arguments to the measurement named by the first one, or else to the papers' experiments."""
    words = sys.argv[1:] if argv is None else argv
    named = bool(words) and words[0] in NAMED
    module = NAMED[words[0]] if named else "papers.__main__"
    import_module(f".{module}", __package__).main(words[1:] if named else words)


if __name__ == "__main__":
    main()
