"""Mutation test: plants one fault at a time in the product and checks that the tests fail.

First record which test calls which function, in the gate and in its pass without compiled kernels:

    export EDGEWISE_CALLS=/tmp/calls.jsonl
    .venv/bin/python -m pytest -p benchmarks.calls -n auto --dist worksteal -m "not deep and not browser"
    NUMBA_DISABLE_JIT=1 EDGEWISE_CALLS=/tmp/calls_plain.jsonl .venv/bin/python -m pytest -p benchmarks.calls ...
    .venv/bin/python -m benchmarks faults --calls /tmp/calls.jsonl --plain /tmp/calls_plain.jsonl --seed 1 --number 200

Each fault is planted in a copy of the working tree. The gate's tests that call the function run, the quickest first,
and stop at the first failure. If none fails, all tests in the files of those tests run too, the deep ones included. The
result is a line for each fault: its place, its change, and the tier that found it. Faults in functions that no test
calls count as survivors, and so do faults without a visible effect, so the survivors need a review.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from .machine import ROOT

FOLDERS = ("learners", "viz", "pages")
MAX_TESTS = 60  # tests of the gate that call the function, the quickest first
GATE_SECONDS, DEEP_SECONDS = 240, 600
FLIPPED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
EXCHANGED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or, ast.Or: ast.And}


@dataclass(frozen=True)
class PlantedFault:
    """A part of a file, and its replacement."""

    path: str
    line: int
    function: str  # path:first line, as the plugin records it; empty at the top of a module
    begin: int  # in characters
    end: int
    text: str
    kind: str


def faults_of(path: Path) -> Iterator[PlantedFault]:
    """Yield every fault that can be planted in a file."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = source.encode()

    def offset(line: int, column: int) -> int:
        return len(raw[: starts[line - 1] + column].decode())

    name = path.relative_to(ROOT).as_posix()

    def visit(node: ast.AST, function: str) -> Iterator[PlantedFault]:
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            function = f"{name}:{first}"
        for kind, changed in _changes(node):
            begin, end = offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)
            yield PlantedFault(name, node.lineno, function, begin, end, changed, kind)
        if isinstance(node, ast.JoinedStr):  # Python 3.11 does not report the positions of the parts
            return
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from visit(child, function)

    yield from visit(ast.parse(source), "")


def _changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield kinds of faults at a node, and its text with the fault."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield "comparison", f"({ast.unparse(ast.Compare(node.left, [FLIPPED[type(node.ops[0])]()], node.comparators))})"
    elif isinstance(node, ast.BinOp) and type(node.op) in EXCHANGED:
        yield "operator", f"({ast.unparse(ast.BinOp(node.left, EXCHANGED[type(node.op)](), node.right))})"
    elif isinstance(node, ast.BoolOp):
        yield "operator", f"({ast.unparse(ast.BoolOp(EXCHANGED[type(node.op)](), node.values))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negation", f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "off by one", str(node.value + 1)
    elif (
        isinstance(node, ast.Call) and len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args[:2])
    ):
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield "arguments", ast.unparse(ast.Call(node.func, swapped, node.keywords))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) or isinstance(node, ast.AugAssign):
        yield "dropped", "pass"


def _is_starred(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in call.args[:2])


def drawn(seed: int, number: int) -> list[PlantedFault]:
    """Draw faults from all folders, in proportion to the lines of each folder."""
    rng = random.Random(seed)
    found: list[PlantedFault] = []
    pools = {
        folder: [one for path in sorted((ROOT / folder).rglob("*.py")) for one in faults_of(path)] for folder in FOLDERS
    }
    total = sum(map(len, pools.values()))
    for pool in pools.values():
        found += rng.sample(pool, round(number * len(pool) / total))
    return found


class Calls:
    """Tests that call each function, and their durations."""

    def __init__(self, path: Path) -> None:
        self.tests: dict[str, list[tuple[float, str]]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for function in record["functions"]:
                self.tests.setdefault(function, []).append((record["seconds"], record["test"]))

    def of(self, fault: PlantedFault) -> list[str]:
        """Return tests that call the function of a fault, or of its module, the quickest first."""
        if fault.function:
            found = self.tests.get(fault.function, [])
        else:
            found = [
                one for name, tests in self.tests.items() if name.rpartition(":")[0] == fault.path for one in tests
            ]
        return [test for _, test in sorted(set(found))]


def judge(fault: PlantedFault, calls: Calls, plain: Calls, copy: Path, *, deep: bool) -> str:
    """Return the tier that finds a fault: "gate", "deep" if those tests may run too, or "none"."""
    target = copy / fault.path
    source = target.read_text(encoding="utf-8")
    target.write_text(source[: fault.begin] + fault.text + source[fault.end :], encoding="utf-8")
    try:
        for known, jit in ((plain, False), (calls, True)):
            tests = known.of(fault)
            if tests and fails(copy, tests[:MAX_TESTS], jit, GATE_SECONDS, "not deep"):
                return "gate"
        if not deep:
            return "none"
        folders = sorted({test.partition("::")[0] for test in calls.of(fault) + plain.of(fault)})[:12]
        if folders and fails(copy, folders, True, DEEP_SECONDS, "not browser"):
            return "deep"
        return "none"
    finally:
        target.write_text(source, encoding="utf-8")


def fails(copy: Path, tests: list[str], jit: bool, seconds: float, markers: str) -> bool:
    """Return True if one of the tests fails, or takes too long."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-m", markers, *tests]
    env = os.environ | {"NUMBA_DISABLE_JIT": "" if jit else "1"}
    if jit:
        env.pop("NUMBA_DISABLE_JIT")
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in (0, 5)


def main(words: list[str]) -> None:
    """Plant the faults and write a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks faults", description=__doc__)
    parser.add_argument("--calls", type=Path, required=True)
    parser.add_argument("--plain", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("faults.csv"))
    parser.add_argument("--gate", action="store_true", help="do not run the deep tests of what the gate misses")
    given = parser.parse_args(words)
    calls, plain = Calls(given.calls), Calls(given.plain)
    faults = drawn(given.seed, given.number)
    copies: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, given.out.open("w", newline="") as file:
        for k in range(os.cpu_count() or 1):
            copy = Path(folder) / str(k)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
            copies.put(copy)
        out = csv.writer(file)
        out.writerow(["path", "line", "kind", "with the fault", "found by"])

        def one(fault: PlantedFault) -> tuple[PlantedFault, str]:
            copy = copies.get()
            try:
                return fault, judge(fault, calls, plain, copy, deep=not given.gate)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(copies.qsize()) as pool:
            for fault, tier in pool.map(one, faults):
                out.writerow([fault.path, fault.line, fault.kind, fault.text[:80], tier])
                file.flush()
                print(f"{tier:5} {fault.path}:{fault.line} {fault.kind}", flush=True)
