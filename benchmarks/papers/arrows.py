"""Arrows as causes: how many of them are false, also where common causes are hidden."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import numpy as np

from learners import Dataset, learn, trust
from learners.verdict.trust import SURE

from ..latent_arrows import directed
from ..worlds import NUMERIC, Simulated, simulate
from .experiment import Experiment, Figure, Piece

SEED = 896_000  # first seed; `trust` was not trained on these seeds
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
        wrong = int((claimed & ~table.causes).sum())
        yield Figure(name, "false causes", wrong / claimed.sum() if claimed.any() else math.nan, seconds)
        yield Figure(name, "causes claimed", float(claimed.sum()), seconds)


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
