"""Speed measurements, printed as tables and added to results.csv: ``python -m benchmarks speed [NAME ...]``."""

from __future__ import annotations

import argparse
import os
import platform
import shutil

from learners import ParameterError
from learners.common.checks import check_choice

from . import machine, report
from .catalogue import MEASUREMENTS
from .measurement import Measurement, RunOptions
from .rows import side_by_side


def main(argv: list[str] | None = None) -> None:
    """Run the named measurements, or all that run by default."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        for name in arguments.names:
            check_choice("NAME", name, list(MEASUREMENTS))
    except ParameterError as error:
        parser.error(str(error))
    if shutil.which(arguments.peer_python) is None:
        parser.error(f"no Python at {arguments.peer_python!r}")
    setting = RunOptions(arguments.repeat, arguments.threads, arguments.time_out, arguments.peer_python)
    chosen = [MEASUREMENTS[name] for name in arguments.names or MEASUREMENTS]
    versions = _versions(chosen, setting)
    print(f"{machine.cpu_model()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {machine.load()}")
    print("ratio: how many times as long as the first row; same: Jaccard index of the two skeletons")
    for measurement in chosen:
        print(f"\n{measurement.name}: {measurement.what}", flush=True)
        rows = list(side_by_side(measurement, setting, versions))
        print(report.table(rows), flush=True)
        report.append(rows)


def _versions(chosen: list[Measurement], setting: RunOptions) -> dict[str, str]:
    """Return the versions of the installed peers, and print a line about the missing ones."""
    wanted = sorted({c.package for measurement in chosen for c in measurement.contenders if c.package})
    versions = machine.installed(setting.peer_python, wanted)
    missing = [package for package in wanted if package not in versions]
    if missing:
        print(f"left out, not installed: {', '.join(missing)} (see benchmarks/README.md)")
    return versions


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks speed", formatter_class=argparse.RawDescriptionHelpFormatter, epilog=_listing()
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all of them")
    parser.add_argument("--repeat", type=positive, default=5, metavar="K", help="median of K runs (default 5)")
    parser.add_argument("--threads", type=positive, default=1, metavar="T", help="cores for everybody (default 1)")
    parser.add_argument("--time-out", type=float, metavar="S", help="seconds a contender may take (default: declared)")
    parser.add_argument(
        "--peer-python",
        default=machine.peer_python(),
        metavar="PATH",
        help="Python that has the peers (default: $EDGEWISE_PEER_PYTHON, or this one)",
    )
    return parser


def _listing() -> str:
    return "measurements:\n" + "\n".join(f"  {m.name:20}{m.what}" for m in MEASUREMENTS.values())


def positive(text: str) -> int:
    """Return a whole number of at least 1 from the command line."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {value}")
    return value
