"""A run as Python code that repeats it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from itertools import groupby
from typing import Any

import learners
from learners.common.errors import ParameterError
from learners.data.disclosure import sharable
from learners.data.plan.plan import ColumnPlan, Plan, default_plan
from learners.data.reading.table import Table
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.knowledge import Knowledge
from learners.io.interchange import to_model_string
from learners.networks.draft import Draft
from learners.results.result import LearnResult

from .kinds import kind_of
from .text import as_sentence, count

INSTALL = "pip install edgewise"
STOPPED = "The run was stopped early; this code runs to the end."
WIDE = 100  # maximum number of characters of a line that can be broken
# Modules of the names that the public package does not export.
HOMES = {
    "Table": "learners.data.reading.table",
    "Binning": "learners.data.plan.binning",
    "ColumnPlan": "learners.data.plan.plan",
    "Plan": "learners.data.plan.plan",
    "Treatment": "learners.data.plan.conversion",
    "ResultFingerprint": "learners.recipes.fingerprints",
    "held_out": "learners.data.resampling",
    "fingerprint_result": "learners.recipes.fingerprints",
    "to_edge_csv": "learners.io.edge_csv",
}
NO_DIRECTIONS = "A model string needs a DAG, but this learner finds no directions."
NO_DAG = "A model string needs a DAG, but no DAG has exactly these arrows and v-structures."


@dataclass(frozen=True)
class Origin:
    """The origin of a table, as Python.

    Attributes
    ----------
    text : str
        An expression that gives the `Table`.
    remark : str
        Note that the reader needs; empty for a table that the code reproduces.
    options : mapping
        Options with which a file was read.
    """

    text: str
    remark: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_public(self) -> bool:
        """Return True if the table is bundled or simulated; an uploaded file has a remark."""
        return not self.remark


def of_file(name: str, options: Mapping[str, Any]) -> Origin:
    """Return the code that reads an uploaded file."""
    return Origin(call("read_table", name, **options), "The uploaded file; replace it with the path to yours.", options)


def of_sample(key: str) -> Origin:
    """Return the code that reads a bundled sample."""
    return Origin(f"read_table(SAMPLES[{key!r}].path)")


def of_network(key: str, n: int, seed: int, missing: tuple[float, str] = (0.0, "")) -> Origin:
    """Return the code that samples a bundled network; `missing` has the share and the mechanism of missing cells."""
    return _drawn(f"load_network({key!r})", n, seed, missing)


def of_random_network(
    p: int, edges: int, n: int, seed: int, missing: tuple[float, str] = (0.0, ""), **mixed: float
) -> Origin:
    """Return the code that samples random linear equations, or with `mixed` a random mixed network."""
    if mixed:
        return _drawn(call("random_mixed_network", p, edges, seed=seed, **mixed), n, seed, missing)
    return _drawn(call("random_gaussian_network", p, edges, seed=seed), n, seed, missing)


def of_draft(draft: Draft, n: int, seed: int) -> Origin:
    """Return the code that samples a network built by the user."""
    given = {"tables": {name: table.tolist() for name, table in draft.tables.items()}} if draft.tables else {}
    return _drawn(call("build_network", draft.nodes, draft.edges, **given), n, seed, (0.0, ""))


def _drawn(network: str, n: int, seed: int, missing: tuple[float, str]) -> Origin:
    rows = f"sample({network}, {n}, seed={seed})"
    share, mechanism = missing
    return Origin(
        f"Table.from_dataset({call('with_holes', Raw(rows), share, mechanism, seed=seed) if share else rows})"
    )


@dataclass(frozen=True, eq=False)
class Repeated:
    """A run to repeat.

    Attributes
    ----------
    origin : Origin
    table : Table
    plan : Plan
        Plan of the run.
    result : LearnResult
    knowledge : Knowledge, optional
    aside : float
        Share of held-out rows.
    seed : int
    """

    origin: Origin
    table: Table
    plan: Plan
    result: LearnResult
    knowledge: Knowledge | None = None
    aside: float = 0.0
    seed: int = 0

    @property
    def remarks(self) -> list[str]:
        """Return the notes for the reader."""
        return [remark for remark in (self.origin.remark, "" if self.result.complete else STOPPED) if remark]

    @property
    def reading(self) -> list[str]:
        """Return the lines that read the table and prepare the data set."""
        start = default_plan(self.table)
        lines = [f"table = {self.origin.text}", "plan = default_plan(table)"]
        lines += [f"plan = {line}" for line in changes(start, _without_idle_settings(start, self.plan))]
        lines.append("dataset = prepare(table, plan).dataset")
        return lines + ([f"dataset, aside = held_out(dataset, {self.aside!r}, seed=0)"] if self.aside else [])

    @property
    def learning(self) -> str:
        """Return the line that learns the graph."""
        given = {"knowledge": self.knowledge} if self.knowledge else {}
        given |= {"seed": self.seed} if self.seed else {}
        return f"result = {call('learn', self.result.method, Raw('dataset'), **given, **self.result.params)}"

    @property
    def printing(self) -> str:
        """Return the line that prints the graph."""
        return "print(to_edge_csv(result.graph, result.names, result.strengths))"


def snippet(run: Repeated) -> str:
    """Return the run as Python code."""
    body = [*(f"# {remark}" for remark in run.remarks), *run.reading, run.learning, run.printing]
    return "\n".join([f"# {INSTALL}", *imports("\n".join(body)), "", *body]) + "\n"


def imports(body: str) -> list[str]:
    """Return the import statements for the names in `body`."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    homes: dict[str, list[str]] = {}
    for name in sorted(used & {*learners.__all__, *HOMES}, key=str.casefold):
        homes.setdefault(HOMES.get(name, "edgewise"), []).append(name)
    return [f"from {home} import {', '.join(names)}" for home, names in sorted(homes.items())]


def _without_idle_settings(start: Plan, plan: Plan) -> Plan:
    """Return the plan with ignored columns as in `start`; their settings have no effect but may name values."""
    known = {one.name: replace(one, kind="ignore") for one in start.columns}
    needed = sharable(plan).columns
    columns = tuple(
        known.get(one.name, short) if one != short else one for one, short in zip(plan.columns, needed, strict=True)
    )
    return replace(plan, columns=columns)


def changes(start: Plan, plan: Plan) -> list[str]:
    """Return the calls that turn one plan into the other: new columns, then settings grouped by value."""
    lines, now = [], start
    if [one.name for one in start.columns] != [one.name for one in plan.columns]:
        lines.append(f"Plan(({', '.join(_pieces(start, plan))},), plan.missing_policy)")
        known = {one.name: one for one in start.columns}
        now = Plan(tuple(known.get(one.name, one) for one in plan.columns), start.missing_policy)
    pairs = zip(now.columns, plan.columns, strict=True)
    differing = [(one.name, _differing(before, one)) for before, one in pairs if before != one]
    for settings, group in groupby(sorted(differing, key=lambda one: repr(one[1])), key=lambda one: one[1]):
        lines.append(call("plan.change", *(name for name, _ in group), **settings))
    if plan.missing_policy != start.missing_policy:
        lines.append(call("plan.with_policy", plan.missing_policy))
    if plan.weights != start.weights:
        lines.append(call("plan.with_weights", plan.weights, **({"surveyed": True} if plan.surveyed else {})))
    if plan.one_row_per != start.one_row_per:
        lines.append(call("plan.with_one_row_per", plan.one_row_per))
    if plan.drop_copies != start.drop_copies:
        lines.append(call("plan.with_drop_copies", plan.drop_copies))
    if plan.count_copies != start.count_copies:
        lines.append(call("plan.with_count_copies", plan.count_copies))
    if plan.resample_by != start.resample_by:
        lines.append(call("plan.with_resample_by", plan.resample_by))
    if plan.rows != start.rows:
        lines.append(call("plan.with_rows", *plan.rows) if plan.rows else "plan.with_all_rows()")
    if plan.independence != start.independence:
        lines.append(call("plan.with_independence", plan.independence))
    return lines


def _pieces(start: Plan, plan: Plan) -> list[str]:
    """Return the columns of a plan as slices of the existing ones and new ones between them."""
    places = {one.name: k for k, one in enumerate(start.columns)}
    pieces: list[str | list[int]] = []
    for one in plan.columns:
        place = places.get(one.name)
        if place is None:
            pieces.append(written(one))
        elif pieces and isinstance(pieces[-1], list) and pieces[-1][1] == place:
            pieces[-1][1] += 1
        else:
            pieces.append([place, place + 1])
    return [f"*plan.columns[{one[0]}:{one[1]}]" if isinstance(one, list) else one for one in pieces]


def _differing(before: ColumnPlan, after: ColumnPlan) -> dict[str, Any]:
    pairs = ((one.name, getattr(before, one.name), getattr(after, one.name)) for one in fields(ColumnPlan))
    return {name: new for name, old, new in pairs if old != new}


@dataclass(frozen=True)
class Raw:
    """Python code that is written as it is."""

    text: str


def written(value: Any) -> str:
    """Write a value as Python; of a record, only the fields that differ from their defaults."""
    if isinstance(value, Raw):
        return value.text
    if not hasattr(value, "__dataclass_fields__"):
        return repr(dict(value)) if isinstance(value, Mapping) else repr(value)
    values = {}
    for one in fields(value):
        default = one.default if one.default_factory is MISSING else one.default_factory()
        if one.init and getattr(value, one.name) != default:
            values[one.name] = getattr(value, one.name)
    return call(type(value).__name__, **values)


def call(name: str, /, *values: Any, **named: Any) -> str:
    """Write a call as Python, one argument per line where one line would be too long."""
    given = [*map(written, values), *(f"{key}={written(value)}" for key, value in named.items())]
    line = f"{name}({', '.join(given)})"
    if len(line) <= WIDE:
        return line
    inner = ",\n".join(given).replace("\n", "\n    ")
    return f"{name}(\n    {inner},\n)"


def model_string(result: LearnResult) -> tuple[str | None, str]:
    """Return the model string, or None, and a sentence on the DAG or on the reason why it has no model string."""
    if kind_of(result).leaves_open(result):
        return None, NO_DIRECTIONS
    extension = consistent_extension(result.graph)
    if not extension.valid:
        return None, NO_DAG
    try:
        text = to_model_string(extension.dag, result.names)
    except ParameterError as error:
        sentence = str(error)
        return None, as_sentence(sentence)
    n_open = len(result.graph.undirected_edges())
    if not n_open:
        return text, "The learned graph: it is the only DAG of its equivalence class."
    return (
        text,
        f"One DAG of the equivalence class: {count(n_open, 'undirected edge')} got a direction that fits equally well.",
    )
