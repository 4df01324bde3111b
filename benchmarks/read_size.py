"""Read and learn from large CSV files, beside pandas, polars and pyarrow: ``python -m benchmarks read_size``.

Each program reads the same file in a process of its own, so that its peak memory is its own. All settings are defaults.
Ours reads, prepares, learns with PC and checks assumptions, as the command ``learn`` does; its reading alone is a line
of its own. Linux only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from .machine import ROOT

COLUMNS = 20
BATCH = 250_000
WORDS = ("none", "mild", "severe", "worst", "gone")
KINDS = ("numbers", "levels")
BEGIN = "import sys, time\n"
END = """
cpu, seconds = time.process_time() - cpu, time.perf_counter() - began
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # of this program alone
print(cpu, seconds, int(peak.split()[1]) / 1024)
"""
START = "cpu, began = time.process_time(), time.perf_counter()\n"
OURS = """
from pathlib import Path
from learners import learn
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import without_blockers
from learners.data.reading.table import read_table
from learners.verdict.assumptions import check_assumptions
"""
LEARN = """
plan, _, _ = without_blockers(table, default_plan(table))
dataset = prepare(table, plan).dataset
result = learn("pc", dataset)
check_assumptions(dataset, result)
"""
PROGRAMS = {
    "polars": ("import polars", "polars.read_csv(sys.argv[1])"),
    "pandas": ("import pandas", "pandas.read_csv(sys.argv[1])"),
    "pyarrow": ("from pyarrow import csv", "csv.read_csv(sys.argv[1])"),
    "Edgewise, read": (OURS, "table = read_table(Path(sys.argv[1]))"),
    "Edgewise, read and learn": (OURS, "table = read_table(Path(sys.argv[1]))" + LEARN),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Print a table of CPU seconds, seconds and peak memory, with ratios to polars."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks read_size", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program; the fastest counts")
    parser.add_argument("--peers", default=sys.executable, help="Python with polars, pandas and pyarrow")
    options = parser.parse_args(argv)
    print("| file | program | CPU s | × polars | s | × polars | peak MB |\n|---|---|--:|--:|--:|--:|--:|", flush=True)
    for rows in options.rows:
        for kind in KINDS:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "table.csv"
                write(path, kind, rows)
                for line in _lines(path, f"{rows:,} × {COLUMNS} {kind}", options.repeat, options.peers):
                    print(line, flush=True)


def write(path: Path, kind: str, rows: int) -> None:
    """Write a file of columns that form a chain: numbers of 17 digits, or categories with two to five levels."""
    random = np.random.default_rng(1)
    writer = None
    for at in range(0, rows, BATCH):
        table = pa.table(dict(_columns(kind, random, min(BATCH, rows - at))))
        if writer is None:
            writer = arrow_csv.CSVWriter(path, table.schema, write_options=arrow_csv.WriteOptions(quoting_style="none"))
        writer.write_table(table)
    writer.close()


def _columns(kind: str, random: np.random.Generator, n: int) -> Iterator[tuple[str, pa.Array]]:
    last = random.standard_normal(n)
    for j in range(COLUMNS):
        if kind == "numbers":
            last = 0.6 * last + random.standard_normal(n)
            yield f"x{j:02d}", pa.array(last)
            continue
        levels = 2 + j % 4
        last = np.where(random.random(n) < 0.5, last, random.standard_normal(n))
        codes = np.clip(((last + 2) / 4 * levels).astype(int), 0, levels - 1)
        yield f"x{j:02d}", pa.DictionaryArray.from_arrays(codes.astype(np.int8), WORDS[:levels]).cast(pa.string())


def _lines(path: Path, label: str, repeat: int, peers: str) -> Iterator[str]:
    size = f"{path.stat().st_size / 1e6:,.0f} MB"
    runs: dict[str, list[tuple[float, ...]]] = {program: [] for program in PROGRAMS}
    for _ in range(repeat):  # in turns, so that other work on the machine slows all programs alike
        for program, (imports, work) in PROGRAMS.items():
            python = sys.executable if program.startswith("Edgewise") else peers
            runs[program].append(_run(python, f"{BEGIN}{imports}\n{START}{work}\n{END}", path))
    yardstick = [min(run[k] for run in runs["polars"]) for k in range(2)]
    for program, own in runs.items():
        cpu, seconds, peak = (min(run[k] for run in own) for k in range(3))
        yield (
            f"| {label}, {size} | {program} | {cpu:.2f} | {cpu / yardstick[0]:.2f} | {seconds:.2f} | "
            f"{seconds / yardstick[1]:.2f} | {peak:,.0f} |"
        )


def _run(python: str, script: str, path: Path) -> tuple[float, ...]:
    done = subprocess.run([python, "-c", script, str(path)], cwd=ROOT, check=True, capture_output=True, text=True)
    return tuple(map(float, done.stdout.split()))
