"""Mutation test: plants one fault at a time in the product and checks that the tests fail.

First record which test calls which function, in the gate and in its pass without compiled kernels:

    export EDGEWISE_CALLS=/tmp/calls.jsonl
    .venv/bin/python -m pytest -p benchmarks.calls -n auto --dist worksteal -m "not deep and not browser"
    NUMBA_DISABLE_JIT=1 EDGEWISE_CALLS=/tmp/calls_plain.jsonl .venv/bin/python -m pytest -p benchmarks.calls ...
    .venv/bin/python -m benchmarks faults --calls /tmp/calls.jsonl --plain /tmp/calls_plain.jsonl --seed 1 --number 200

Each fault is planted in a copy of the working tree. The gate's tests that call the function run, the quickest first,
and stop at the first failure. Calls in compiled kernels, in other processes, on import and in the browser are not
recorded; then the files of tests that import the module run, or those that import the nearest modules that do. For a
kernel they run as plain Python first, then compiled. If no test fails, all tests in these files run too, the deep ones
included.

The result is a line for each fault: its place, its change, the tier that found it, and how many tests or files of tests
the gate tried. Faults without a visible effect count as survivors, so the survivors need a review. `--only faults.csv`
plants again what an earlier result says that none found; remove the lines of faults that shall not be planted.
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
MAX_SECONDS = 120.0  # maximum recorded duration of the tests that run for a fault, the quickest first
MIN_FILES, MAX_FILES = 1, 4  # numbers of test files that run for a fault
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
    column: int
    function: str  # "path:first line", as recorded by the plugin; empty at the top of a module
    begin: int  # position in characters
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
            yield PlantedFault(name, node.lineno, node.col_offset, function, begin, end, changed, kind)
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


def named(path: Path) -> list[PlantedFault]:
    """Return the faults that no test found in an earlier result, at the nearest line where they still apply."""
    found: list[PlantedFault] = []
    with path.open(newline="") as file:
        for place, line, column, kind, text, tier, _ in list(csv.reader(file))[1:]:
            if tier != "none":
                continue
            same = [one for one in faults_of(ROOT / place) if (one.kind, one.text[:80]) == (kind, text)]
            if not same:
                raise SystemExit(f"{place} has no fault {kind}: {text} any more. Remove its line from {path}.")
            found.append(min(same, key=lambda one: (abs(one.line - int(line)), abs(one.column - int(column)))))
    return found


class Imports:
    """Modules and tests that import each module, read from the source."""

    def __init__(self) -> None:
        self.users: dict[str, set[str]] = {}
        for folder in (*FOLDERS, "tests"):
            for path in (ROOT / folder).rglob("*.py"):
                if path.is_relative_to(ROOT / "tests" / "browser"):
                    continue
                for target in self._targets(path):
                    self.users.setdefault(target, set()).add(path.relative_to(ROOT).as_posix())

    def tests_of(self, path: str) -> list[str]:
        """Return up to `MAX_FILES` test files that import a module, else those that import modules that use it."""
        seen, front, tests = {path}, {path}, []
        while front and len(tests) < MIN_FILES:
            front = {user for one in front for user in self.users.get(one, ())} - seen
            seen |= front
            tests += sorted(one for one in front if Path(one).name.startswith("test_"))
        return tests[:MAX_FILES]

    def _targets(self, path: Path) -> Iterator[str]:
        """Yield the files that a module imports."""
        package = path.relative_to(ROOT).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else ()
                module = (*base, *(node.module.split(".") if node.module else ()))
                names = [module, *((*module, alias.name) for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [tuple(alias.name.split(".")) for alias in node.names]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".py"):
                names = [(*package, node.value.removesuffix(".py"))]  # a script that another process runs
            else:
                continue
            for name in names:
                for file in ("/".join(name) + ".py", "/".join((*name, "__init__.py"))):
                    if (ROOT / file).exists():
                        yield file


class Calls:
    """Tests that call each function, and their durations."""

    def __init__(self, path: Path) -> None:
        self.tests: dict[str, list[tuple[float, str]]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for function in record["functions"]:
                self.tests.setdefault(function, []).append((record["seconds"], record["test"]))

    def of(self, fault: PlantedFault) -> list[str]:
        """Return the quickest tests that call the function of a fault, or any function of its module."""
        if fault.function:
            found = self.tests.get(fault.function, [])
        else:
            found = [
                one for name, tests in self.tests.items() if name.rpartition(":")[0] == fault.path for one in tests
            ]
        tests, spent = [], 0.0
        for seconds, test in sorted(set(found)):
            spent += seconds
            if tests and spent > MAX_SECONDS:
                break
            tests.append(test)
        return tests


@dataclass(frozen=True)
class KnownTests:
    """Records about the tests: calls, with and without compilation, and imports."""

    calls: Calls
    plain: Calls
    imports: Imports

    def of(self, fault: PlantedFault) -> list[tuple[list[str], bool]]:
        """Return tests or files of tests to run, each with True if kernels are compiled."""
        recorded = [(self.plain.of(fault), False), (self.calls.of(fault), True)]
        if any(tests for tests, _ in recorded):
            return recorded
        files = self.imports.tests_of(fault.path)
        return [(files, jit) for jit in (False, True) if jit or fault.path.startswith("learners/kernels/")]


def judge(fault: PlantedFault, known: KnownTests, copy: Path, *, deep: bool) -> tuple[str, int]:
    """Return the tier that finds a fault, "gate", "deep" or "none", and the number of tests or files in the gate."""
    target = copy / fault.path
    source = target.read_text(encoding="utf-8")
    with_fault = source[: fault.begin] + fault.text + source[fault.end :]

    def find(tests: list[str], jit: bool, seconds: float, markers: str) -> bool:
        """Return True if the tests fail, or if they take too long only with the fault."""
        target.write_text(with_fault, encoding="utf-8")
        try:
            found = fails(copy, tests, jit, seconds, markers)
        finally:
            target.write_text(source, encoding="utf-8")
        return fails(copy, tests, jit, seconds, markers) is False if found is None else found

    choices = [(tests, jit) for tests, jit in known.of(fault) if tests]
    tried = sum(len(tests) for tests, _ in choices)
    if any(find(tests, jit, GATE_SECONDS, "not deep and not browser") for tests, jit in choices):
        return "gate", tried
    if not deep:
        return "none", tried
    for tests, jit in choices:
        files = sorted({test.partition("::")[0] for test in tests})[:MAX_FILES]
        if find(files, jit, DEEP_SECONDS, "not browser"):
            return "deep", tried
    return "none", tried


def fails(copy: Path, tests: list[str], jit: bool, seconds: float, markers: str) -> bool | None:
    """Return True if one of the tests fails; None if they take too long."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-m", markers, *tests]
    env = os.environ | {"NUMBA_DISABLE_JIT": "" if jit else "1"}
    if jit:
        env.pop("NUMBA_DISABLE_JIT")
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
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
    parser.add_argument("--only", type=Path, help="a result; plant only the faults that it says none found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="faults tried at once")
    given = parser.parse_args(words)
    known = KnownTests(Calls(given.calls), Calls(given.plain), Imports())
    faults = named(given.only) if given.only else drawn(given.seed, given.number)
    copies: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, given.out.open("w", newline="") as file:
        for k in range(given.jobs):
            copy = Path(folder) / str(k)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
            copies.put(copy)
        out = csv.writer(file)
        out.writerow(["path", "line", "column", "kind", "with the fault", "found by", "tests tried"])

        def one(fault: PlantedFault) -> tuple[PlantedFault, str, int]:
            copy = copies.get()
            try:
                return fault, *judge(fault, known, copy, deep=not given.gate)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(copies.qsize()) as pool:
            for fault, tier, tried in pool.map(one, faults):
                out.writerow([fault.path, fault.line, fault.column, fault.kind, fault.text[:80], tier, tried])
                file.flush()
                print(f"{tier:5} {fault.path}:{fault.line} {fault.kind} ({tried})", flush=True)
