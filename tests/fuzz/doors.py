"""Entries of the library, each called with odd input, which it may only refuse with an error of the library."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import learners
from learners import (
    LEARNERS,
    PDAG,
    Dataset,
    DiscreteNetwork,
    GaussianNetwork,
    Knowledge,
    LearnersError,
    learn,
    read_recipe,
    recipe_of,
    rerun,
    write_recipe,
)
from learners.common.wording import shown_value
from learners.data.plan.binning import Binning
from learners.data.plan.plan import ColumnPlan, Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.reading.table import Table, first_lines, read_table
from learners.io.bif import write_bif
from learners.io.dagitty import from_dagitty, to_dagitty
from learners.io.edge_csv import read_edge_csv, to_edge_csv
from learners.io.interchange import from_json, from_model_string, to_json, to_model_string
from learners.io.network_files import NETWORK_FORMATS, read_network, write_network
from learners.io.samples import load_network

from .tables import damaged, odd_table
from .values import odd_knowledge, odd_value
from .watching import Watch

ODD_SETTINGS = 0.2  # share of runs on odd tables whose settings are odd as well
OPTIONS = ("encoding", "separator", "decimal", "columns", "max_columns", "max_rows", "header", "names")
LONG = 1_000  # maximum characters of an error message
RUN_SECONDS = 2.0  # CPU seconds after which a run is cancelled; long enough for at least one test


def table(rng: np.random.Generator, watch: Watch) -> None:
    """Read a file, check its health, prepare it and learn from it."""
    raw = odd_table(rng)
    first_lines(raw)
    here = read_table(raw)
    watch.pause(raw)
    plan = default_plan(here)
    for _ in range(6):  # like a user who applies fixes one after another
        findings = check_health(here, plan)
        watch.pause()
        fixes = [fix for finding in findings for fix in finding.fixes]
        if not fixes or (findings[0].severity != "blocker" and rng.random() < 0.5):
            break
        plan = fixes[rng.integers(len(fixes))].plan if rng.random() < 0.3 else fixes[0].plan
    dataset = prepare(here, plan).dataset
    watch.pause()
    _run(rng, watch, dataset)


def _run(rng: np.random.Generator, watch: Watch, dataset: Dataset, *, odd: float = ODD_SETTINGS) -> None:
    keys = [key for key, one in LEARNERS.items() if dataset.kind in one.kinds]
    key = keys[rng.integers(len(keys))]
    settings = {}
    for one in LEARNERS[key].parameters_for(dataset.kind):
        if rng.random() < 0.3 and one.choices:
            settings[one.name] = one.choices[rng.integers(len(one.choices))]
        if rng.random() < odd / 4:
            settings[one.name] = odd_value(rng)
    watch.say(f"{key} {dataset!r} {sorted(settings)}")
    learn(key, dataset, tick=watch.ticking(RUN_SECONDS), **settings)


def value(rng: np.random.Generator, watch: Watch) -> None:
    """Give a parameter or the seed of a learner an odd value."""
    kind = ("categorical", "continuous")[rng.integers(2)]
    _run(rng, watch, small(rng, kind), odd=2.0)
    key = list(LEARNERS)[rng.integers(len(LEARNERS))]
    learn(key, small(rng, LEARNERS[key].kinds[0]), seed=odd_value(rng), tick=watch.ticking(RUN_SECONDS))


def knowledge(rng: np.random.Generator, watch: Watch) -> None:
    """Learn with odd background knowledge."""
    keys = [key for key in LEARNERS if key != "bootstrap"]
    key = keys[rng.integers(len(keys))]
    data = small(rng, LEARNERS[key].kinds[0])
    known = odd_knowledge(rng, data.names)
    if isinstance(known, Knowledge):
        known.bind(data.names)
    learn(key, data, knowledge=known, tick=watch.ticking(RUN_SECONDS))


def small(rng: np.random.Generator, kind: str) -> Dataset:
    """Return 200 rows of a chain of five variables."""
    walk = np.cumsum(rng.normal(size=(200, 5)), axis=1)
    names = [f"v{k}" for k in range(5)]
    if kind == "continuous":
        return Dataset.from_values(walk, names)
    return Dataset.from_codes((walk.T > 0) * 1, [2] * 5, names)


def constructor(rng: np.random.Generator, watch: Watch) -> None:
    """Call a public constructor or function with one odd argument."""
    make, given = MAKERS[rng.integers(len(MAKERS))]
    name = list(given)[rng.integers(len(given))]
    watch.say(f"{make.__name__} {name}")
    make(**given | {name: odd_value(rng)})


def option(rng: np.random.Generator, watch: Watch) -> None:
    """Use an odd option of read_table, an odd part of a plan, and an odd stored plan."""
    watch.say("options")
    name = OPTIONS[rng.integers(len(OPTIONS))]
    part = ("kind", "missing", "binning", "min_level_count", "tier", "treatment", "nothing")[rng.integers(7)]
    here = small_table()
    for ask in (
        lambda: read_table(b"a;b\n1;2\n3;4\n", **{name: odd_value(rng)}),
        lambda: _change(here, part, rng),
        lambda: prepare(here, Plan.from_dict(_stored(here, rng))),
        lambda: prepare(here, odd_value(rng)),
        lambda: default_plan(here).column(odd_value(rng)),
        lambda: here.column(odd_value(rng)),
    ):
        refused(ask)


def small_table() -> Table:
    """Return a table of two columns."""
    return read_table(b"a;b\n1;2\n3;4\n5;6\n")


def _change(here: Table, name: str, rng: np.random.Generator) -> None:
    plan = default_plan(here).change("a", **{name: odd_value(rng)})
    check_health(here, plan)
    prepare(here, plan)


def _stored(here: Table, rng: np.random.Generator) -> Any:
    stored = default_plan(here).change("a", kind="categorical", binning=Binning("width")).to_dict()
    place = [stored, stored["columns"][0], stored["columns"][0]["binning"]][rng.integers(3)]
    place[list(place)[rng.integers(len(place))]] = odd_value(rng)
    return odd_value(rng) if rng.random() < 0.1 else stored


def file(rng: np.random.Generator, watch: Watch) -> None:
    """Read a network, a graph or a plan from a damaged file."""
    network = load_network(("asia", "cancer", "survey")[rng.integers(3)])
    graph, names = network.dag, network.names
    texts: tuple[tuple[Callable, str], ...] = (
        *((partial(read_network, form=form), write_network(network, form)) for form in NETWORK_FORMATS),
        (lambda raw: from_dagitty(raw.decode("utf-8", "replace")), to_dagitty(graph, names)),
        (lambda raw: read_edge_csv(raw, names), to_edge_csv(graph, names)),
        (lambda raw: from_json(raw.decode("utf-8", "replace")), to_json(graph, names)),
        (lambda raw: from_model_string(raw.decode("utf-8", "replace")), to_model_string(graph, names)),
        (_read_plan, json.dumps(default_plan(small_table()).to_dict())),
    )
    read, text = texts[rng.integers(len(texts))]
    watch.say(text[:30])
    raw = text.encode()
    for _ in range(int(rng.integers(1, 4))):
        raw = damaged(rng, raw)
    read(raw)


def recipe(rng: np.random.Generator, watch: Watch) -> None:
    """Read and rerun a recipe with odd or damaged content."""
    stored = json.loads(RECIPE)
    parts = [stored, *(one for one in stored.values() if isinstance(one, dict)), stored["plan"]["columns"][0]]
    for _ in range(int(rng.integers(1, 3))):
        part = parts[rng.integers(len(parts))]
        name = list(part)[rng.integers(len(part))]
        watch.say(name)
        if rng.random() < 0.2:
            part[f"{name}s"] = part.pop(name)
        else:
            part[name] = odd_value(rng)
    try:
        raw = json.dumps(stored, default=shown_value, skipkeys=True).encode("utf-8", "replace")
    except ValueError:  # an integer that Python refuses to write
        return
    here = read_recipe(damaged(rng, raw) if rng.random() < 0.3 else raw)
    rerun(here, small_table(), tick=watch.ticking(RUN_SECONDS))


def _read_plan(raw: bytes) -> None:
    try:
        stored = json.loads(raw)
    except (ValueError, RecursionError):  # the caller parses the JSON of a plan
        return
    Plan.from_dict(stored)


def refused(ask: Callable[[], Any]) -> None:
    """Call a function that may raise an error of the library with a short message."""
    try:
        ask()
    except LearnersError as error:
        if len(str(error)) >= LONG:
            raise RuntimeError(f"a message of {len(str(error))} characters") from error


def small_recipe() -> str:
    """Return the text of a recipe of a run on a table of two columns."""
    here = small_table()
    plan = default_plan(here).change("a", "b", kind="categorical", binning=Binning("width", 2))
    known = Knowledge(forbidden=(("a", "b"),), tiers={"a": 1})
    result = learn("hc", prepare(here, plan).dataset, knowledge=known)
    return write_recipe(recipe_of(here, plan, result, knowledge=known, reading={"separator": ";"}))


RECIPE = small_recipe()
CATEGORICAL, CONTINUOUS = (small(np.random.default_rng(0), kind) for kind in ("categorical", "continuous"))
CODES = {"codes": np.zeros((2, 5), int), "arity": [2, 2], "names": ["a", "b"], "levels": None, "weights": None}
CHAIN = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
COINS = ((0.5, 0.5),)
MAKERS: tuple[tuple[Callable, dict[str, Any]], ...] = (
    (PDAG, {"amat": CHAIN.amat}),
    (PDAG.from_edges, {"p": 3, "directed": [(0, 1)], "undirected": [(1, 2)]}),
    (PDAG.empty, {"p": 3}),
    (PDAG.complete, {"p": 3}),
    (Dataset.from_codes, CODES),
    (Dataset.from_values, {"values": np.zeros((5, 2)), "names": ["a", "b"]}),
    (Dataset.from_frame, {"df": CONTINUOUS.to_frame(), "kinds": None}),
    (DiscreteNetwork, {"names": ("a",), "levels": (("x", "y"),), "dag": PDAG.empty(1), "cpts": (np.array(COINS),)}),
    (GaussianNetwork, {"names": ("a",), "weights": [[0.0]], "noise_variance": [1.0], "intercept": [0.0]}),
    (Binning, {"method": "cuts", "bins": 3, "cuts": (1.0, 2.0)}),
    (ColumnPlan, {"name": "a", "kind": "categorical", "missing": (), "binning": None, "min_level_count": 0, "tier": 1}),
    (Plan, {"columns": (ColumnPlan("a", "categorical"),), "missing_policy": "drop"}),
    (learners.random_dag, {"p": 5, "mean_degree": 2.0, "seed": 1}),
    (learners.random_gaussian_network, {"p": 5, "expected_edges": 4, "seed": 1}),
    (learners.random_modular_network, {"p": 20, "n_edges": 8, "n_isolated": 4, "seed": 1, "module": 8, "weakest": 4.0}),
    (learners.sample, {"network": load_network("cancer"), "n": 10, "seed": 1}),
    (learners.tile, {"network": load_network("cancer"), "n_tiles": 2, "seed": 1}),
    (learners.permute_columns, {"dataset": CONTINUOUS, "dag": PDAG.empty(5), "seed": 1}),
    (learners.G2, {"dataset": CATEGORICAL, "dof": "plain", "rows_per_cell": 0.0}),
    (learners.BDeu, {"dataset": CATEGORICAL, "ess": 1.0}),
    (learners.BIC, {"dataset": CATEGORICAL, "penalty": 1.0}),
    (learners.FisherZ, {"dataset": CONTINUOUS}),
    (learners.GaussianBIC, {"dataset": CONTINUOUS, "penalty": 1.0}),
    (learners.load_sample, {"key": "asia"}),
    (learners.load_network, {"key": "asia"}),
    (learners.read_bif, {"source": write_bif(load_network("cancer"))}),
    (read_network, {"source": write_network(load_network("cancer"), "net"), "form": "net"}),
    (write_network, {"network": load_network("cancer"), "form": "xdsl"}),
    (from_dagitty, {"text": "dag { a -> b }"}),
    (learners.cpdag, {"dag": CHAIN}),
    (learners.consistent_extension, {"pdag": CHAIN}),
)  # fmt: skip
