"""Arrows as causes: how many of them are false, also where common causes are hidden."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import numpy as np

from learners import Dataset, learn, trust
from learners.verdict.trust import SURE

from ..latent_arrows import directed
from ..measurement import Contender
from ..problem import Answer, Problem, Run
from ..worlds import NUMERIC, Simulated, simulate
from .experiment import Experiment, Figure, Piece
from .programs import answered, side_by_side

SEED, PROGRAMS_SEED = 896_000, 977_001  # first seeds; `trust` was not trained on these seeds
COLUMNS, ROWS = 20, 2_000
_NAMES = (
    *("clean", "dense", "weak", "three hidden", "three hubs hidden", "six hidden", "strong hidden"),
    *("categorical", "categorical, three hidden", "categorical, hubs hidden", "categorical, six hidden"),
    *("mixed", "mixed, three hidden", "mixed, hubs hidden", "mixed, six hidden"),
)
WORLDS = {name.replace(",", "").replace(" ", "-"): name for name in _NAMES}  # labels of cells contain no spaces
FOR_NUMBERS = ("MAG search",)


def _judged(data: Dataset) -> np.ndarray:
    return trust(learn("boss", data), data).cause >= SURE  # NaN, which means no claim, compares as False


METHODS: dict[str, Callable[[Dataset], np.ndarray]] = {
    "PC": lambda data: directed(learn("pc", data, alpha=0.01).graph),
    "GES": lambda data: directed(learn("ges", data).graph),
    "BOSS": lambda data: directed(learn("boss", data).graph),
    "FCI": lambda data: directed(learn("fci", data, alpha=0.01).graph),
    "BOSS-FCI": lambda data: directed(learn("boss_fci", data, alpha=0.01).graph),
    "MAG search": lambda data: directed(learn("mag_search", data).graph),
    "order MCMC, P ≥ .95": lambda data: np.asarray(learn("order_mcmc", data).posterior.compelled) >= 0.95,
    "trust, P ≥ .9": _judged,
}


def _runs(piece: Piece) -> Iterator[Figure]:
    world = WORLDS[str(piece["world"])]
    table: Simulated = simulate(world, int(piece["seed"]), COLUMNS, ROWS)
    for name, find in METHODS.items():
        if name in FOR_NUMBERS and world not in NUMERIC:
            continue
        began = time.process_time()
        claimed = find(table.data)
        seconds = time.process_time() - began
        yield from _figures(name, claimed, table.causes, seconds)


def _figures(name: str, claimed: np.ndarray, causes: np.ndarray, seconds: float | None) -> Iterator[Figure]:
    """Yield the share of false causes among the claimed ones, and their number."""
    wrong = int((claimed & ~causes).sum())
    yield Figure(name, "false causes", wrong / claimed.sum() if claimed.any() else math.nan, seconds)
    yield Figure(name, "causes claimed", float(claimed.sum()), seconds)


def solver(problem: Problem, *, method: str) -> Run:
    """Prepare one of `METHODS` for the numbers of a problem; the answer has the causes that it claims."""
    names = [f"v{k}" for k in range(problem.p)]
    return lambda: Answer(METHODS[method](Dataset.from_values(problem.data, names)))


def _ours(name: str, method: str) -> Contender:
    return Contender(name, f"{__name__}:solver", params={"method": method})


def _tetrad(name: str, search: str) -> Contender:
    params = {"search": search, "alpha": 0.01, "penalty": 2.0}  # the penalty is Tetrad's default
    return Contender(name, "benchmarks.peers:tetrad", package="tetrad-plus", params=params)


PROGRAMS = (
    _ours("trust", "trust, P ≥ .9"),
    _ours("BOSS", "BOSS"),
    _ours("order-MCMC", "order MCMC, P ≥ .95"),
    _ours("MAG-search", "MAG search"),
    _ours("BOSS-FCI", "BOSS-FCI"),
    _ours("FCI", "FCI"),
    _tetrad("Tetrad-BOSS", "Boss"),
    _tetrad("Tetrad-FCI", "Fci"),
    _tetrad("Tetrad-GFCI", "GFci"),
    _tetrad("Tetrad-BFCI", "BFci"),
    _tetrad("Tetrad-GRaSP-FCI", "GraspFci"),
    Contender("causal-learn-FCI", "benchmarks.peers:causal_learn_fci", package="causal-learn", params={"alpha": 0.01}),
)


def _of_program(piece: Piece) -> Iterator[Figure]:
    chosen = next(one for one in PROGRAMS if one.name == piece["program"])
    table = simulate(WORLDS[str(piece["world"])], int(piece["seed"]), COLUMNS, ROWS)
    outcome = answered(chosen, Problem(table.data.values, table.causes))
    if outcome.answer is None:
        yield Figure(chosen.name, "false causes", math.nan, outcome.at_least)
    else:
        yield from _figures(chosen.name, outcome.answer.amat, table.causes, outcome.cpu_median)


ARROWS = Experiment(
    name="arrows_hidden",
    what="arrows as causes, false ones where common causes are hidden",
    cells=tuple({"world": key} for key in WORLDS),
    networks={"smoke": 1, "desk": 5, "paper": 20},
    run=_runs,
    first_seed=SEED,
    remarks=(
        "Each table has 20 columns and 2,000 rows, simulated from a random DAG. Hidden variables are in no column.",
        "An arrow is false if its tail does not cause its head, directly or through others. Methods that claim fewer "
        "causes can more easily be right; see the metric causes claimed.",
    ),
)
ARROWS_PROGRAMS = Experiment(
    name="arrows_programs",
    what="arrows as causes, false ones of this and other programs",
    cells=tuple({"world": key} for key, name in WORLDS.items() if name in NUMERIC),
    networks={"smoke": 1, "desk": 5, "paper": 20},
    run=_of_program,
    derive=side_by_side,
    programs=PROGRAMS,
    first_seed=PROGRAMS_SEED,
    remarks=(
        "Tables are simulated as in arrows_hidden, with numbers only. Tests have alpha 0.01; Tetrad's BIC has its "
        "default penalty of 2.",
        "trust claims a cause if its probability is at least 0.9, order-MCMC if it is at least 0.95. All others claim "
        "their arrows.",
    ),
)
