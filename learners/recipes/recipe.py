"""Recipe of a run: table, plan, learner, parameters, knowledge, seed, version and result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..common.checks import check_choice, check_count, check_number, check_type
from ..common.errors import ParameterError
from ..common.validation import Seed, validated
from ..common.version import __version__
from ..common.wording import did_you_mean, shown_value
from ..data.disclosure import sharable
from ..data.plan.plan import Plan
from ..data.plan.plan_file import plan_of, stored_plan
from ..data.reading.json_file import JSONFormat
from ..data.reading.table import Table
from ..graphs.knowledge import Knowledge
from ..registry import LEARNERS
from ..results.result import LearnResult
from .fingerprints import ResultFingerprint, TableFingerprint, fingerprint_result, fingerprint_table

RECIPE = JSONFormat("recipe", "edgewise_recipe", 1)
HASH = 64  # length of a hash in hexadecimal digits
MAX_HELD_OUT = 0.9
# Options of `read_table` that a recipe may hold.
READING = (
    *("encoding", "separator", "decimal", "columns", "max_columns", "max_rows", "header", "names", "transpose"),
    *("sample", "seed"),
)


@validated
@dataclass(frozen=True)
class Recipe:
    """All inputs of a run except its table, with fingerprints of the table and of the result.

    Attributes
    ----------
    table : TableFingerprint
    plan : Plan
    learner : str
        Key in `LEARNERS`.
    parameters : mapping
    knowledge : Knowledge
    seed : int
    held_out : float
        Share of held-out rows, at most 0.9.
    reading : mapping
        Options of `read_table` with which the file was read.
    version : str
        Version of this library at the time of the run.
    result : ResultFingerprint or None
        None for a run that was cancelled.

    Raises
    ------
    ParameterError
        If the learner, a parameter or an option is unknown, or `seed` or `held_out` is out of range.
    """

    table: TableFingerprint
    plan: Plan
    learner: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    knowledge: Knowledge = field(default_factory=Knowledge)
    seed: Seed = 0
    held_out: float = 0.0
    reading: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__
    result: ResultFingerprint | None = None

    def __post_init__(self) -> None:
        check_choice("learner", self.learner, list(LEARNERS))
        object.__setattr__(self, "parameters", LEARNERS[self.learner].with_present_names(self.parameters))
        check_count("seed", self.seed)
        check_number("held_out", self.held_out, 0.0, MAX_HELD_OUT)
        _some_of("parameters", self.parameters, [one.name for one in LEARNERS[self.learner].parameters])
        _some_of("reading", self.reading, READING)


@validated
def recipe_of(
    table: Table,
    plan: Plan,
    result: LearnResult,
    *,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    held_out: float = 0.0,
    reading: Mapping[str, Any] | None = None,
    name: str = "",
) -> Recipe:
    """Return the recipe of the run ``result = learn(method, prepare(table, plan).dataset, ...)``.

    Parameters
    ----------
    table : Table
    plan : Plan
        The recipe omits the settings of ignored columns.
    result : LearnResult
    knowledge : Knowledge, optional
    seed : int, default 0
    held_out : float, default 0.0
        Share of the rows that `held_out(dataset, share, seed=0)` held out.
    reading : mapping, optional
        Options with which `read_table` read the file.
    name : str
        Name of the table, for display.
    """
    return Recipe(
        fingerprint_table(table, name),
        sharable(plan),
        result.method,
        dict(result.params),
        knowledge or Knowledge(),
        seed,
        held_out,
        dict(reading or {}),
        result=fingerprint_result(result) if result.complete else None,
    )


@validated
def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as JSON text, which `read_recipe` reads."""
    known = recipe.knowledge
    return RECIPE.written(
        {
            "version": recipe.version,
            "table": asdict(recipe.table),
            "reading": dict(recipe.reading),
            "plan": stored_plan(recipe.plan),
            "learner": recipe.learner,
            "parameters": dict(recipe.parameters),
            "knowledge": {
                "required": list(known.required),
                "forbidden": list(known.forbidden),
                "tiers": dict(known.tiers),
            },
            "seed": recipe.seed,
            "held_out": recipe.held_out,
            "result": asdict(recipe.result) if recipe.result else None,
        }
    )


@validated
def read_recipe(source: str | Path | bytes) -> Recipe:
    """Read a recipe from a file.

    Parameters
    ----------
    source : path, or the bytes of the file

    Raises
    ------
    DataError
        If the file cannot be read, or is not JSON.
    ParameterError
        If it is not a recipe, or an entry is unknown or out of range. The message names the entry.
    """
    stored = _all_of(RECIPE.read(source), Recipe, "recipe")
    check_type("plan", stored["plan"], Mapping, "a mapping with columns and missing_policy")
    found = stored["result"]
    return Recipe(
        **stored
        | {
            "table": _table_mark(stored["table"]),
            "plan": plan_of(stored["plan"]),
            "knowledge": Knowledge(**_all_of(stored["knowledge"], Knowledge, "knowledge")),
            "result": None if found is None else _result_mark(found),
        }
    )


def _table_mark(stored: Any) -> TableFingerprint:
    given = _all_of(stored, TableFingerprint, "table")
    check_count("rows of the table", given["rows"])
    check_count("columns of the table", given["columns"])
    _check_hash("sha256 of the table", given["sha256"])
    check_type("name of the table", given["name"], str, "a text")
    return TableFingerprint(**given)


def _result_mark(stored: Any) -> ResultFingerprint:
    given = _all_of(stored, ResultFingerprint, "result")
    check_count("edges of the result", given["edges"])
    for name in ("graph", "strengths"):
        _check_hash(f"{name} of the result", given[name])
    return ResultFingerprint(**given)


def _check_hash(name: str, value: Any) -> None:
    if not isinstance(value, str) or len(value) != HASH or not set(value) <= set("0123456789abcdef"):
        raise ParameterError(f"{name} must be {HASH} hexadecimal digits, got {shown_value(value)}; export it again")


def _all_of(stored: Any, kind: type, what: str) -> dict[str, Any]:
    """Return a part of a recipe that must have exactly the fields of `kind`."""
    names = list(kind.__dataclass_fields__)
    _some_of(what, stored, names)
    for name in names:
        if name not in stored:
            raise ParameterError(f"{what} must have {name!r}, found none; export the recipe again")
    return dict(stored)


def _some_of(what: str, stored: Any, names: list[str] | tuple[str, ...]) -> None:
    """Raise ParameterError unless a part of a recipe is a mapping with only these names."""
    check_type(what, stored, Mapping, "a mapping in braces")
    for name in stored:
        if name not in names:
            way_out = did_you_mean(name, names) if names else "; leave it out"
            where = "the recipe" if what == "recipe" else f"the {what} of the recipe"
            raise ParameterError(f"unknown entry {shown_value(name)} in {where}{way_out}")
