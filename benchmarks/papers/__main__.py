"""``python -m benchmarks.papers [EXPERIMENT ...]``: do the pieces that are not done yet, then print the tables."""

from __future__ import annotations

import argparse
import importlib.metadata
import time
from pathlib import Path

from learners import ParameterError
from learners.checks import check_choice

from .. import machine
from .catalogue import EXPERIMENTS
from .experiment import SCALES, Experiment, label
from .store import Store
from .summary import summary

RESULTS = Path(__file__).parent / "results"


def main(argv: list[str] | None = None) -> None:
    """Carry out the experiments named, or all."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        for name in arguments.names:
            check_choice("EXPERIMENT", name, list(EXPERIMENTS))
    except ParameterError as error:
        parser.error(str(error))
    version = _version()
    for name in arguments.names or EXPERIMENTS:
        store = Store(arguments.results / f"{name}.csv", version)
        carry_out(EXPERIMENTS[name], arguments.scale, store)
        print(f"\n## {name}: {EXPERIMENTS[name].what}\n\n{summary(EXPERIMENTS[name], store.rows())}", flush=True)


def carry_out(experiment: Experiment, scale: str, store: Store) -> None:
    """Do the pieces of a scale that are not in the store."""
    pieces = {label(piece): piece for piece in experiment.pieces(scale)}
    left = [name for name in pieces if name not in store.finished]
    print(f"{experiment.name}: {len(left)} of {len(pieces)} pieces to do", flush=True)
    for name in left:
        began = time.process_time()
        figures = list(experiment.run(pieces[name]))
        store.add(name, figures, time.process_time() - began)
        print(f"{name}: {time.process_time() - began:.1f} s", flush=True)


def _version() -> str:
    packages = (f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba"))
    return " ".join([machine.our_version(), *packages])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.papers",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="experiments:\n" + "\n".join(f"  {one.name:16}{one.what}" for one in EXPERIMENTS.values()),
    )
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="default: all of them")
    parser.add_argument("--scale", choices=SCALES, default="smoke", help="how much of it (default smoke)")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where the rows are kept")
    return parser


if __name__ == "__main__":
    main()
