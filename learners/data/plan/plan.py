"""Plans: what happens to each column of a table before learning. A plan is data that can be stored and changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from ...common.checks import as_text, check_choice, check_count, check_number, check_sequence, check_type
from ...common.errors import ParameterError
from ...common.validation import validated
from ...common.wording import did_you_mean, quoted, shown_value
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.level_order import MAX_LEVELS, level_order
from ..column_types.types_and_missing_codes import ColumnGuess, Use
from ..reading.table import Table
from .binning import Binning
from .conversion import Treatment, emptied, treated

Policy = Literal["available", "drop", "category", "mode"]


@dataclass(frozen=True)
class ColumnPlan:
    """Plan for one column: its type, missing values, and conversions.

    Attributes
    ----------
    name : str
    kind : "categorical", "continuous" or "ignore"
        Type of the variable. "ignore" leaves the column out.
    missing : tuple of str
        The exact cell texts that mean "missing" here.
    binning : Binning, optional
        Turns the numbers of a categorical column into bins. Default: each text is a level.
    min_level_count : int, default 0
        Levels with fewer rows are merged into one; the most frequent level stays as it is.
    tier : int, optional
        Position in time, for the background knowledge of a learner. `prepare` does not use it.
    treatment : Treatment, optional
        Conversion of its texts. Default: texts stay unchanged.
    source : str, default ""
        Name of the column of the table with its cells, if it differs from `name`.
    normal_scores : bool, default False
        Replace the numbers of a continuous column by the normal scores of their ranks.
    missing_level : bool, default False
        Make missing cells of a categorical column a level, whatever the policy of the plan.
    ordered : bool, default False
        The levels of a categorical column have an order, which tests use: that of `order`, or their natural one.
    order : tuple of str, default ()
        Levels from the lowest to the highest, as they are listed everywhere. Empty: natural order, numbers by value.
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
    missing_level: bool = False
    ordered: bool = False
    order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_type("name", self.name, str, "the name of a column")
        check_type("source", self.source, str, "the name of a column of the table, or empty")
        check_type("normal_scores", self.normal_scores, bool, "true or false")
        check_type("missing_level", self.missing_level, bool, "true or false")
        check_choice("kind", self.kind, get_args(Use))
        check_type("treatment", self.treatment, (Treatment, type(None)), "a Treatment or None")
        check_type("binning", self.binning, (Binning, type(None)), "a Binning or None")
        check_count("min_level_count", self.min_level_count)
        check_count("tier", self.tier, optional=True)
        check_sequence("missing", self.missing, "a list of texts")
        object.__setattr__(self, "missing", tuple(as_text("missing", text) for text in self.missing))
        check_type("ordered", self.ordered, bool, "true or false")
        check_sequence("order", self.order, "a list of levels")
        object.__setattr__(self, "order", tuple(as_text("order", text) for text in self.order))
        if len(set(self.order)) < len(self.order):
            raise ParameterError(f"order must hold each level once, got {quoted(self.order)}. Leave out repetitions")

    def raw(self, table: Table) -> Cells:
        """Return the cells of the column as they are in the table."""
        return table.column(self.source or self.name)

    def cells(self, table: Table) -> Cells:
        """Return the cells of the column after conversion, cached in the table."""
        if self.treatment is None:
            return self.raw(table)
        key = (self.source or self.name, self.treatment, self.missing)
        if key not in table.read_as:
            cells = treated(self.raw(table), self.treatment, self.missing)
            if self.treatment.block:
                parts = [table.column(name) for name in self.treatment.block]
                cells = emptied(cells, np.logical_and.reduce([part.blank[part.codes] for part in parts]))
            table.read_as[key] = cells
        return table.read_as[key]


@dataclass(frozen=True)
class Plan:
    """Plan for a table: one `ColumnPlan` for each column, and the policy for missing cells.

    Attributes
    ----------
    columns : tuple of ColumnPlan
    missing_policy : "available", "drop", "category" or "mode"
        "available" leaves cells missing: learners impute them, or use the rows that have their columns. "drop" leaves
        out rows with a missing cell in a used column. "category" makes missing a separate level; rows that lack a
        number of a continuous column are still left out. "mode" imputes the most frequent level or, in continuous
        columns, the median, which invents edges.
    weights : str, default ""
        The column of row weights, if there is one; it is not a variable. Integers are counts, other numbers are survey
        weights.
    surveyed : bool, default False
        Take the weights as survey weights even if all are integers.
    one_row_per : str, default ""
        A column of subjects or other groups: only the first row of each group is used. Rows without a group stay.
    drop_copies : bool, default False
        Leave out exact copies of earlier rows.
    independence : float, default 1
        Number of independent rows that a row is worth; see `Dataset.with_independence`.
    count_copies : bool, default False
        Exact copies of rows are different cases: equal rows of levels become one row with a count, which changes no
        result.
    resample_by : str, default ""
        A column of subjects or other groups that resamples of the bootstrap draw whole. A row without one is a group.
    rows : (int, int), optional
        Use only these rows of the table, from the first to the last, counted from 1. Default: all rows.
    """

    columns: tuple[ColumnPlan, ...]
    missing_policy: Policy = "available"
    weights: str = ""
    surveyed: bool = False
    one_row_per: str = ""
    drop_copies: bool = False
    independence: float = 1.0
    count_copies: bool = False
    resample_by: str = ""
    rows: tuple[int, int] | None = None
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
        check_type("one_row_per", self.one_row_per, str, "the name of a column, or empty")
        check_type("resample_by", self.resample_by, str, "the name of a column, or empty")
        check_type("drop_copies", self.drop_copies, bool, "True or False")
        check_type("count_copies", self.count_copies, bool, "True or False")
        check_number("independence", self.independence, 0.0, 1.0, ends="(]")
        if self.rows is not None:
            object.__setattr__(self, "rows", _row_range(self.rows))
        for name in filter(None, (self.weights, self.one_row_per, self.resample_by)):
            self.column(name)

    @property
    def used(self) -> tuple[ColumnPlan, ...]:
        """The columns that become variables: not ignored, and not the weights."""
        return tuple(column for column in self.columns if column.kind != "ignore" and column.name != self.weights)

    def replaced(self, names: Sequence[str]) -> list[str]:
        """Return those of the ignored columns from which columns in use are made."""
        sources = {column.source for column in self.used if column.source}
        return [name for name in names if name in sources]

    def column(self, name: str) -> ColumnPlan:
        """Return the plan of one column."""
        if not isinstance(name, str) or name not in self._index:
            raise ParameterError(f"unknown column {shown_value(name)}{did_you_mean(name, tuple(self._index)[:20])}")
        return self.columns[self._index[name]]

    def change(self, *names: str, **settings: Any) -> Plan:
        """Return the plan with some settings of the named columns changed.

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
        """Return the plan with another `missing_policy`."""
        return replace(self, missing_policy=missing_policy)

    def with_weights(self, weights: str, *, surveyed: bool = False) -> Plan:
        """Return the plan with another weight column, or without weights if the name is empty."""
        return replace(self, weights=weights, surveyed=surveyed)

    def with_one_row_per(self, name: str) -> Plan:
        """Return the plan that uses the first row of each group of a column, or all rows if the name is empty."""
        return replace(self, one_row_per=name)

    def with_resample_by(self, name: str) -> Plan:
        """Return the plan whose resamples draw the groups of a column, or single rows if the name is empty."""
        return replace(self, resample_by=name)

    def with_drop_copies(self, drop_copies: bool) -> Plan:  # noqa: FBT001
        """Return the plan that leaves out exact copies of earlier rows, or uses them."""
        return replace(self, drop_copies=drop_copies, count_copies=self.count_copies and not drop_copies)

    def with_count_copies(self, count_copies: bool) -> Plan:  # noqa: FBT001
        """Return the plan that keeps exact copies of rows as counts, or as rows."""
        return replace(self, count_copies=count_copies, drop_copies=self.drop_copies and not count_copies)

    def with_independence(self, independence: float) -> Plan:
        """Return the plan whose rows are each worth this share of an independent row."""
        return replace(self, independence=independence)

    def with_rows(self, first: int, last: int) -> Plan:
        """Return the plan that uses only the rows of the table from `first` to `last`, counted from 1."""
        return replace(self, rows=(first, last))

    def with_all_rows(self) -> Plan:
        """Return the plan that uses all rows of the table."""
        return replace(self, rows=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as dicts, lists, texts and numbers for JSON."""
        columns = [
            {
                **asdict(column),
                "missing": list(column.missing),
                "binning": _binning_to_dict(column.binning),
                "order": list(column.order),
            }
            for column in self.columns
        ]
        settings = {"missing_policy": self.missing_policy, "weights": self.weights, "surveyed": self.surveyed}
        if self.one_row_per:
            settings["one_row_per"] = self.one_row_per
        if self.drop_copies:
            settings["drop_copies"] = True
        if self.independence < 1.0:
            settings["independence"] = self.independence
        if self.count_copies:
            settings["count_copies"] = True
        if self.resample_by:
            settings["resample_by"] = self.resample_by
        if self.rows is not None:
            settings["rows"] = list(self.rows)
        return {**settings, "columns": columns}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Plan:
        """Return the plan that `to_dict` wrote; ParameterError if the mapping is not a plan."""
        check_type("a stored plan", stored, Mapping, "a mapping with columns and missing_policy")
        for name in ("columns", "missing_policy"):
            if name not in stored:
                raise ParameterError(f"a plan must have columns and missing_policy, found no {name}. Export it again")
        settings = tuple(f.name for f in fields(cls) if f.init)
        unknown = [name for name in stored if name not in settings]
        if unknown:
            raise ParameterError(f"a plan has {', '.join(settings)}, got {shown_value(unknown[0])} too. Leave it out")
        check_sequence("columns", stored["columns"])
        columns = tuple(_column_from_dict(column) for column in stored["columns"])
        policy, weights, surveyed = stored["missing_policy"], stored.get("weights", ""), stored.get("surveyed", False)
        one_row_per, drop_copies = stored.get("one_row_per", ""), stored.get("drop_copies", False)
        independence = stored.get("independence", 1.0)
        count_copies, resample_by = stored.get("count_copies", False), stored.get("resample_by", "")
        return cls(
            columns,
            policy,
            weights,
            surveyed,
            one_row_per,
            drop_copies,
            independence,
            count_copies,
            resample_by,
            stored.get("rows"),
        )


def _row_range(rows: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last row of a plan; ParameterError if they are no range of rows."""
    check_sequence("rows", rows, "a first and a last row, or None")
    if len(rows) != 2:
        raise ParameterError(f"rows must be a first and a last row, got {shown_value(rows)}")
    first, last = rows
    check_count("the first of rows", first, 1)
    check_count("the last of rows", last, 1)
    if last < first:
        raise ParameterError(f"the last of rows must not be below the first, got {first:,} and {last:,}")
    return int(first), int(last)


@validated
def default_plan(table: Table) -> Plan:
    """Return the plan that the guesses of a table propose; missing cells stay missing."""
    return Plan(tuple(_default_column(table, guess) for guess in table.guess.columns))


def _default_column(table: Table, guess: ColumnGuess) -> ColumnPlan:
    missing = tuple(dict.fromkeys(("", *guess.missing)))
    order = guessed_order(table, guess.name, missing) if guess.kind == "categorical" else ()
    return ColumnPlan(guess.name, guess.kind, missing, ordered=bool(order), order=listed_order(order))


def guessed_order(table: Table, name: str, missing: tuple[str, ...]) -> tuple[str, ...]:
    """Return the levels of a column from the lowest to the highest; empty if they show no order."""
    key = ("order", name, missing)
    if key not in table.read_as:
        cells = table.column(name)
        few = len(cells.texts) <= MAX_LEVELS + len(missing)
        texts = cells.texts.filter(to_arrow(~(cells.among(missing) | cells.blank))).to_pylist() if few else []
        table.read_as[key] = level_order(name, texts)
    return table.read_as[key]


def listed_order(order: tuple[str, ...]) -> tuple[str, ...]:
    """Return an order as a plan lists it: empty if it is the natural one of whole numbers."""
    return () if all(text.isdecimal() and text.isascii() for text in order) else order


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
            raise ParameterError(f"a plan must have {quoted(needed)} of each {what}, found no {name}. Export it again")


def with_missing(table: Table, plan: Plan, texts: dict[str, Sequence[str]], **settings: object) -> Plan:
    """Return the plan with more texts that mean missing, by column, and other settings of these columns.

    Levels whose order shows without these texts are ordered.
    """
    after = plan
    for name, marks in texts.items():
        after = after.change(name, missing=(*plan.column(name).missing, *marks), **settings)
    return with_new_orders(table, plan, after)


def with_new_orders(table: Table, before: Plan, after: Plan) -> Plan:
    """Return the later plan with the orders of levels that only its missing-value codes reveal."""
    for old in before.columns:
        new = after.column(old.name)
        if new.missing == old.missing or new.kind != "categorical" or new.ordered or new.source or new.treatment:
            continue
        order = guessed_order(table, new.name, new.missing)
        if order and not guessed_order(table, new.name, old.missing):
            after = after.change(new.name, ordered=True, order=listed_order(order))
    return after


def free_name(name: str, taken: set[str]) -> str:
    """Append apostrophes to a name until no other column has it."""
    while name in taken:
        name += "'"
    return name
