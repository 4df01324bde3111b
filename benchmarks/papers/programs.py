"""Programs compared on the same rows: which are installed, and the figures of one program on a piece.

Each learns in a separate process, on one core, as in `python -m benchmarks speed`: the time runs from the table in
memory to the finished graph, once everything is loaded and compiled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache

import pandas as pd

from learners import PDAG
from learners.evaluation.metrics import shd
from learners.graphs.cpdag import cpdag

from .. import machine
from ..agreement import agreement, by_score
from ..measurement import Contender, Measurement, Outcome, RunOptions, run_contender
from ..problem import Answer, Problem
from ..worker import find_solver
from .experiment import Experiment, Figure, Piece

REPEAT, BUDGET = 3, 1.0  # maximum number of runs, whose median counts; seconds after which no run begins
TIME_OUT = 60.0  # maximum seconds for a program, from the start of its process
METRICS = {"FP": "fp", "FN": "fn", "SHD": "shd", "JI": "ji", "same skeleton": "same", "BIC": "score"}


def against(
    truth: Problem, programs: tuple[Contender, ...], program: str, *, searches: bool = False
) -> Iterator[Figure]:
    """Yield errors, seconds on a core and memory of one program, the first being ours; NaN without an answer.

    Parameters
    ----------
    truth : Problem
    programs : tuple of Contender
    program : str
        Name of the program to run.
    searches : bool
        True if the programs find DAGs, whose CPDAGs are then compared with the truth and whose scores are reported.
    """
    chosen = next(one for one in programs if one.name == program)
    must_be_there(chosen)
    outcome = run_contender(
        chosen,
        Measurement(program, program, chosen, time_out=TIME_OUT, budget=BUDGET),
        truth,
        RunOptions(REPEAT, 1, None, machine.peer_python()),
    )
    if outcome.answer is None:
        print(f"{program}: {outcome.note}", flush=True)
    ours = find_solver(programs[0].solver)(truth, **programs[0].params)()
    figures = _errors(outcome.answer, ours, truth, searches=searches)
    for metric, key in METRICS.items():
        if key != "score" or (searches and truth.arity is not None):
            yield Figure(program, metric, figures.get(key, math.nan))
    seconds = outcome.cpu_median
    yield Figure(program, "seconds", math.nan if seconds is None else seconds, seconds or outcome.at_least)
    yield Figure(program, "MB", outcome.peak_mb or math.nan)


def _errors(answer: Answer | None, ours: Answer, truth: Problem, *, searches: bool) -> dict[str, float]:
    if answer is None:
        return {}
    scored = by_score(answer, ours, truth) if searches and truth.arity is not None else {}
    graph = cpdag(PDAG(answer.amat)) if searches else PDAG(answer.amat)
    errors = agreement(Answer(graph.amat), ours, truth) | {"shd": float(shd(graph, cpdag(PDAG(truth.truth))))}
    return scored | errors


def answered(program: Contender, problem: Problem, time_out: float = TIME_OUT) -> Outcome:
    """Run a program once on a problem, in a process of its own; print the reason if it has no answer."""
    must_be_there(program)
    outcome = run_contender(
        program,
        Measurement(program.name, program.name, program, time_out=time_out, budget=0.0),
        problem,
        RunOptions(1, 1, None, machine.peer_python()),
    )
    if outcome.answer is None:
        print(f"{program.name}: {outcome.note}", flush=True)
    return outcome


def must_be_there(program: Contender) -> None:
    """Raise RuntimeError if the package of a program is not installed."""
    if program.package and program.package not in versions((program.package,)):
        raise RuntimeError(f"{program.name} must be installed in {machine.peer_python()}, found no {program.package}")


def absent(experiment: Experiment) -> list[str]:
    """Return the names of the programs of an experiment that are not installed."""
    wanted = {one.name: one.package for one in experiment.programs if one.package}
    there = versions(tuple(sorted(set(wanted.values()))))
    return [name for name, package in wanted.items() if package not in there]


def ready(experiment: Experiment, pieces: list[Piece]) -> list[Piece]:
    """Return the pieces whose programs are installed, or all pieces of an experiment without programs."""
    missing = absent(experiment)
    return [piece for piece in pieces if piece.get("program") not in missing]


def version_of(experiment: Experiment, piece: Piece) -> str:
    """Return name and version of the piece's program, or an empty text for Edgewise."""
    packages = [one.package for one in experiment.programs if one.name == piece.get("program") and one.package]
    return " ".join(f"{package} {versions((package,))[package]}" for package in packages)


@cache
def _versions(python: str, packages: tuple[str, ...]) -> dict[str, str]:
    return machine.installed(python, list(packages))


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of the packages that the peers' Python has."""
    return _versions(machine.peer_python(), packages) if packages else {}


def side_by_side(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the programs of one data set in one piece."""
    return rows.assign(piece=rows["piece"].str.replace(r" program=.*(?= seed=\d+$)", "", regex=True))


def runner(
    drawn: Callable[[Piece], Problem], programs: tuple[Contender, ...], *, searches: bool = False
) -> Callable[[Piece], Iterator[Figure]]:
    """Return a function that carries out a piece: draw its data, and run its program on them."""

    def run(piece: Piece) -> Iterator[Figure]:
        yield from against(drawn(piece), programs, piece["program"], searches=searches)

    return run
