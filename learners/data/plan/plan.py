"""A plan: what is done to each column of a table before learning. It is data: it can be stored, shown and changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

from ...common.checks import as_text, check_choice, check_count, check_sequence, check_type
from ...common.errors import ParameterError
from ...common.validation import validated
from ...common.wording import did_you_mean, quoted, shown_value
from ..column_types.cells import Cells
from ..column_types.guess import Use
from ..reading.table import Table
from .binning import Binning
from .conversion import Treatment, treated

Policy = Literal["available", "drop", "category", "mode"]


@dataclass(frozen=True)
class ColumnPlan:
    """What is done to one column.

    Attributes
    ----------
    name : str
    kind : "categorical", "continuous" or "ignore"
        What it becomes. "ignore" leaves it out.
    missing : tuple of str
        The exact cell texts that mean "missing" here.
    binning : Binning, optional
        Turns the numbers of a categorical column into bins. Default: each text is a level.
    min_level_count : int, default 0
        Levels with fewer rows are merged into one; the most frequent level stays as it is.
    tier : int, optional
        Place in the order of time, for the knowledge given to a learner. Not used in preparing.
    treatment : Treatment, optional
        How its texts are read where they are not read as they stand.
    source : str, default ""
        The column of the table that holds its cells, if that has another name.
    normal_scores : bool, default False
        Numbers of a continuous column give way to the normal scores of their ranks.
    """

    name: str
    kind: Use
    missing: tuple[str, ...] = ("",)
    binning: Binning | None = None
    min_level_count: int = 0
    tier: int | None = None
    treatment: Treatment | None = None
    source: str = ""
    normal_scores: bool = False

    def __post_init__(self) -> None:
        check_type("name", self.name, str, "the name of a column")
        check_type("source", self.source, str, "the name of a column of the table, or empty")
        check_type("normal_scores", self.normal_scores, bool, "true or false")
        check_choice("kind", self.kind, get_args(Use))
        check_type("treatment", self.treatment, (Treatment, type(None)), "a Treatment or None")
        check_type("binning", self.binning, (Binning, type(None)), "a Binning or None")
        check_count("min_level_count", self.min_level_count)
        check_count("tier", self.tier, optional=True)
        check_sequence("missing", self.missing, "a list of texts")
        object.__setattr__(self, "missing", tuple(as_text("missing", text) for text in self.missing))

    def raw(self, table: Table) -> Cells:
        """Its cells as they stand in the table."""
        return table.column(self.source or self.name)

    def cells(self, table: Table) -> Cells:
        """Its cells as the treatment reads them, made once a table."""
        if self.treatment is None:
            return self.raw(table)
        key = (self.source or self.name, self.treatment, self.missing)
        if key not in table.read_as:
            table.read_as[key] = treated(self.raw(table), self.treatment, self.missing)
        return table.read_as[key]


@dataclass(frozen=True)
class Plan:
    """What is done to a table: one `ColumnPlan` a column, and what becomes of missing cells.

    Attributes
    ----------
    columns : tuple of ColumnPlan
    missing_policy : "available", "drop", "category" or "mode"
        "available" leaves cells missing: each test and score uses the rows that have its columns. "drop" leaves out
        rows with a missing cell in a used column. "category" makes missing a level of its own; rows that lack a number
        of a continuous column are still left out. "mode" fills in the most frequent level or, in continuous columns,
        the median, which invents edges.
    weights : str, default ""
        The column that says how much each row counts, if there is one: whole numbers are counts, others survey weights.
        It is no variable then.
    surveyed : bool, default False
        Whether weights are survey weights even if all are whole.
    """

    columns: tuple[ColumnPlan, ...]
    missing_policy: Policy = "available"
    weights: str = ""
    surveyed: bool = False
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_choice("missing_policy", self.missing_policy, get_args(Policy))
        check_sequence("columns", self.columns)
        for column in self.columns:
            check_type("each column of a plan", column, ColumnPlan, "a ColumnPlan")
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "_index", {column.name: j for j, column in enumerate(self.columns)})
        check_type("weights", self.weights, str, "the name of a column, or empty")
        check_type("surveyed", self.surveyed, bool, "True or False")
        if self.weights:
            self.column(self.weights)

    @property
    def used(self) -> tuple[ColumnPlan, ...]:
        """The columns that are variables: not ignored, and not the weights."""
        return tuple(one for one in self.columns if one.kind != "ignore" and one.name != self.weights)

    def column(self, name: str) -> ColumnPlan:
        """The plan of one column."""
        if not isinstance(name, str) or name not in self._index:
            raise ParameterError(f"unknown column {shown_value(name)}{did_you_mean(name, tuple(self._index)[:20])}")
        return self.columns[self._index[name]]

    def change(self, *names: str, **settings: Any) -> Plan:
        """The same plan with some settings of the named columns changed.

        Raises
        ------
        ParameterError
            If a column or setting is unknown or a value out of range.
        """
        _check_settings(ColumnPlan, settings)
        columns = list(self.columns)
        for name in names:
            columns[self._index[self.column(name).name]] = replace(self.column(name), **settings)
        return replace(self, columns=tuple(columns))

    def with_policy(self, missing_policy: Policy) -> Plan:
        """The same plan with another `missing_policy`."""
        return replace(self, missing_policy=missing_policy)

    def with_weights(self, weights: str, *, surveyed: bool = False) -> Plan:
        """The same plan with rows weighed by a column, or by none if the name is empty; see `surveyed`."""
        return replace(self, weights=weights, surveyed=surveyed)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, texts and numbers, ready for JSON."""
        columns = [
            {**asdict(column), "missing": list(column.missing), "binning": _binning_to_dict(column.binning)}
            for column in self.columns
        ]
        told = {"missing_policy": self.missing_policy, "weights": self.weights, "surveyed": self.surveyed}
        return {**told, "columns": columns}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Plan:
        """The plan that `to_dict` wrote; raises ParameterError if it is none."""
        check_type("a stored plan", stored, Mapping, "a mapping with columns and missing_policy")
        for name in ("columns", "missing_policy"):
            if name not in stored:
                raise ParameterError(f"a plan must have columns and missing_policy, found no {name}; export it again")
        settings = ("columns", "missing_policy", "weights", "surveyed")
        unknown = [name for name in stored if name not in settings]
        if unknown:
            raise ParameterError(f"a plan has {', '.join(settings)}, got {shown_value(unknown[0])} too; leave it out")
        check_sequence("columns", stored["columns"])
        columns = tuple(_column_from_dict(column) for column in stored["columns"])
        return cls(columns, stored["missing_policy"], stored.get("weights", ""), stored.get("surveyed", False))


@validated
def default_plan(table: Table) -> Plan:
    """The guesses of a table as a plan; missing cells stay missing."""
    return Plan(tuple(ColumnPlan(g.name, g.kind, tuple(dict.fromkeys(("", *g.missing)))) for g in table.guess.columns))


def _binning_to_dict(binning: Binning | None) -> dict[str, Any] | None:
    return binning and {**asdict(binning), "cuts": list(binning.cuts)}


def _column_from_dict(stored: Mapping[str, Any]) -> ColumnPlan:
    _check_settings(ColumnPlan, stored, ("name", "kind"), "column")
    binning = stored.get("binning")
    if binning is not None:
        _check_settings(Binning, binning)
        binning = Binning(**binning)
    treatment = stored.get("treatment")
    if treatment is not None:
        _check_settings(Treatment, treatment, ("how",), "treatment")
        treatment = Treatment(**treatment)
    return ColumnPlan(**{**stored, "binning": binning, "treatment": treatment})


def _check_settings(kind: type, settings: Mapping[str, Any], needed: Sequence[str] = (), what: str = "") -> None:
    check_type(f"a {kind.__name__}", settings, Mapping, "a mapping of its settings")
    known = [f.name for f in fields(kind)]
    for name in settings:
        if name not in known:
            raise ParameterError(f"unknown setting {shown_value(name)}{did_you_mean(name, known)}")
    for name in needed:
        if name not in settings:
            raise ParameterError(f"a plan must have {quoted(needed)} of each {what}, found no {name}; export it again")


def with_missing(plan: Plan, texts: dict[str, Sequence[str]], **settings: object) -> Plan:
    """The plan with more missing marks in some columns, and other settings of theirs."""
    for name, marks in texts.items():
        plan = plan.change(name, missing=(*plan.column(name).missing, *marks), **settings)
    return plan


def free_name(name: str, taken: set[str]) -> str:
    """The name, with strokes behind it while another column has it."""
    while name in taken:
        name += "'"
    return name
