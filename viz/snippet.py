"""A run as a Python text that repeats it: pasted where the library is, it learns the same graph."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from itertools import groupby
from typing import Any

import learners
from learners.data.plan.plan import ColumnPlan, Plan, default_plan
from learners.data.reading.table import Table
from learners.graphs.knowledge import Knowledge
from learners.networks.draft import Draft
from learners.results.result import LearnResult

STOPPED = "The run was stopped early; this code runs to the end."
WIDE = 100  # letters of a line, if there is a place to break it
# Where each name stands that the library's front door does not offer.
HOMES = {
    "Table": "learners.data.reading.table",
    "Binning": "learners.data.plan.binning",
    "ColumnPlan": "learners.data.plan.plan",
    "Plan": "learners.data.plan.plan",
    "Treatment": "learners.data.plan.conversion",
    "ResultFingerprint": "learners.recipes.fingerprints",
    "held_out": "learners.evaluation.comparison",
    "fingerprint_result": "learners.recipes.fingerprints",
    "to_edge_csv": "learners.io.edge_csv",
}


@dataclass(frozen=True)
class Origin:
    """Where a table came from, as Python.

    Attributes
    ----------
    text : str
        An expression that gives the `Table`.
    remark : str
        What the reader has to know.
    options : mapping
        Options with which a file was read.
    """

    text: str
    remark: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


def of_file(name: str, options: Mapping[str, Any]) -> Origin:
    """A file that was uploaded, and how it was read."""
    return Origin(call("read_table", name, **options), "The uploaded file; replace it with the path to yours.", options)


def of_sample(key: str) -> Origin:
    """A bundled sample."""
    return Origin(f"read_table(SAMPLES[{key!r}].path)")


def of_network(key: str, n: int, seed: int, holes: tuple[float, str] = (0.0, "")) -> Origin:
    """Rows drawn from a bundled network; of `holes` the share and the mechanism."""
    return _drawn(f"load_network({key!r})", n, seed, holes)


def of_random_network(
    p: int, edges: int, n: int, seed: int, holes: tuple[float, str] = (0.0, ""), **mixed: float
) -> Origin:
    """Rows drawn from random linear equations, or with `mixed` from those of both kinds."""
    if mixed:
        return _drawn(call("random_mixed_network", p, edges, seed=seed, **mixed), n, seed, holes)
    return _drawn(call("random_gaussian_network", p, edges, seed=seed), n, seed, holes)


def of_draft(draft: Draft, n: int, seed: int) -> Origin:
    """Rows drawn from a network that was built."""
    given = {"tables": {name: table.tolist() for name, table in draft.tables.items()}} if draft.tables else {}
    return _drawn(call("build_network", draft.nodes, draft.edges, **given), n, seed, (0.0, ""))


def _drawn(network: str, n: int, seed: int, holes: tuple[float, str]) -> Origin:
    rows = f"sample({network}, {n}, seed={seed})"
    share, mechanism = holes
    return Origin(
        f"Table.from_dataset({call('with_holes', Raw(rows), share, mechanism, seed=seed) if share else rows})"
    )


@dataclass(frozen=True, eq=False)
class Repeated:
    """A run that is to be repeated.

    Attributes
    ----------
    origin : Origin
    table : Table
    plan : Plan
        As the run had it.
    result : LearnResult
    knowledge : Knowledge, optional
    aside : float
        Share of the rows that were kept from the learner.
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
        """What the reader has to know."""
        return [remark for remark in (self.origin.remark, "" if self.result.complete else STOPPED) if remark]

    @property
    def reading(self) -> list[str]:
        """Lines that end with a data set."""
        start = default_plan(self.table)
        lines = [f"table = {self.origin.text}", "plan = default_plan(table)"]
        lines += [f"plan = {line}" for line in changes(start, self.plan)]
        lines.append("dataset = prepare(table, plan).dataset")
        return lines + ([f"dataset, aside = held_out(dataset, {self.aside!r}, seed=0)"] if self.aside else [])

    @property
    def learning(self) -> str:
        """The line that learns."""
        given = {"knowledge": self.knowledge} if self.knowledge else {}
        given |= {"seed": self.seed} if self.seed else {}
        return f"result = {call('learn', self.result.method, Raw('dataset'), **given, **self.result.params)}"

    @property
    def printing(self) -> str:
        """The line that shows the graph."""
        return "print(to_edge_csv(result.graph, result.names, result.strengths))"


def snippet(run: Repeated) -> str:
    """The run as Python."""
    body = [*(f"# {remark}" for remark in run.remarks), *run.reading, run.learning, run.printing]
    return "\n".join([*imports("\n".join(body)), "", *body]) + "\n"


def imports(body: str) -> list[str]:
    """Import lines for the names in a text."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    homes: dict[str, list[str]] = {}
    for name in sorted(used & {*learners.__all__, *HOMES}, key=str.casefold):
        homes.setdefault(HOMES.get(name, "learners"), []).append(name)
    return [f"from {home} import {', '.join(names)}" for home, names in sorted(homes.items())]


def changes(start: Plan, plan: Plan) -> list[str]:
    """What turns one plan into the other: columns that are made, then settings, those alike in one call."""
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
    return lines


def _pieces(start: Plan, plan: Plan) -> list[str]:
    """The columns of a plan: slices of those that there were, and between them those that are new."""
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
    """Python that stands as it is."""

    text: str


def written(value: Any) -> str:
    """A value as Python; of a record only what is not at its default."""
    if isinstance(value, Raw):
        return value.text
    if not hasattr(value, "__dataclass_fields__"):
        return repr(dict(value)) if isinstance(value, Mapping) else repr(value)
    told = {}
    for one in fields(value):
        default = one.default if one.default_factory is MISSING else one.default_factory()
        if one.init and getattr(value, one.name) != default:
            told[one.name] = getattr(value, one.name)
    return call(type(value).__name__, **told)


def call(name: str, /, *values: Any, **named: Any) -> str:
    """A call as Python, one argument a line where one line would be too long."""
    given = [*map(written, values), *(f"{key}={written(value)}" for key, value in named.items())]
    line = f"{name}({', '.join(given)})"
    if len(line) <= WIDE:
        return line
    inner = ",\n".join(given).replace("\n", "\n    ")
    return f"{name}(\n    {inner},\n)"
