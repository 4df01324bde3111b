"""Command line of the papers' experiments: ``python -m benchmarks [EXPERIMENT ...]``.

It carries out the unfinished pieces, then prints the tables.
"""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from learners import ParameterError
from learners.common.checks import check_choice

from ..speed import positive
from .archive import unpack
from .catalogue import EXPERIMENTS
from .experiment import SCALES, Experiment, label
from .programs import absent, ready
from .running import Way, one_by_one
from .spread import workers
from .store import RESULTS, ResultFile
from .summary import summary

SPEED = "`speed` instead of an experiment: speed beside other programs, see `python -m benchmarks speed --help`"


def main(argv: list[str] | None = None) -> None:
    """Carry out the named experiments, or all."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        for name in arguments.names:
            check_choice("EXPERIMENT", name, list(EXPERIMENTS))
    except ParameterError as error:
        parser.error(str(error))
    folder = arguments.results or (RESULTS / "smoke" if arguments.scale == "smoke" else RESULTS)
    try:
        with _way(arguments.workers, arguments.scheduler) as way:
            for name in arguments.names or EXPERIMENTS:
                path = folder / f"{name}.csv"
                if folder == RESULTS:
                    unpack(name, path)  # continue after the rows in the archive
                store = ResultFile(path)
                carry_out(EXPERIMENTS[name], arguments.scale, store, way)
                text = summary(EXPERIMENTS[name], store.rows())
                print(f"\n## {name}: {EXPERIMENTS[name].what}\n\n{text}", flush=True)
    except ParameterError as error:
        if not arguments.scheduler:
            raise
        parser.error(str(error))
    except ModuleNotFoundError as error:
        parser.error(f"{error}: `pip install -r benchmarks/requirements-dask.txt` for --workers and --scheduler")


def _way(count: int, scheduler: str) -> AbstractContextManager[Way]:
    return workers(count, scheduler) if count > 1 or scheduler else nullcontext(one_by_one)


def carry_out(experiment: Experiment, scale: str, store: ResultFile, way: Way = one_by_one) -> None:
    """Carry out the pieces of a scale that are not in the store; only this process writes to it."""
    declared = experiment.pieces(scale)
    pieces = {label(piece): piece for piece in ready(experiment, declared)}
    if len(pieces) < len(declared):
        missing = ", ".join(absent(experiment))
        waiting = f"{len(declared) - len(pieces)} of {len(declared)} pieces wait"
        print(f"{experiment.name}: {missing} not installed, {waiting} (see benchmarks/README.md)")
    left = {name: piece for name, piece in pieces.items() if name not in store.finished}
    print(f"{experiment.name}: {len(left)} of {len(pieces)} pieces to do", flush=True)
    for name, done in way(experiment, left):
        store.add(name, done)
        print(f"{name}: {done.seconds:.1f} s", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join([SPEED, "", "experiments:", *(f"  {one.name:20}{one.what}" for one in EXPERIMENTS.values())]),
    )
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="default: all of them")
    parser.add_argument("--scale", choices=SCALES, default="smoke", help="how much of it (default smoke)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=positive, default=1, metavar="N", help="processes of this machine (default 1)")
    where.add_argument("--scheduler", default="", metavar="tcp://…", help="address of a Dask scheduler to use instead")
    parser.add_argument(
        "--results", type=Path, metavar="FOLDER", help="where the rows are kept (default benchmarks/papers/results)"
    )
    return parser


if __name__ == "__main__":
    main()
