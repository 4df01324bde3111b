"""Learner: one published algorithm, declared once for the app, the command line and the tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ..common.checks import did_you_mean, quoted_columns
from ..common.errors import ParameterError
from ..common.progress import Tick, silent
from .parameter import OrderConstraint, Parameter, Preset
from .reference import Reference, defaults_of

if TYPE_CHECKING:
    from ..data.dataset import Dataset, Kind
    from ..graphs.knowledge import Knowledge
    from ..results.result import LearnResult
    from .calls import NoCache

Need = Callable[..., Any]  # need(dataset, **settings) gives what a learner works on
call = Reference("settings.calls", "call")
LEAST_SECONDS = 0.006  # of any run, however small its data
Family = Literal["constraint-based", "score-based", "hybrid"]
EVERY_KIND: tuple[Kind, ...] = ("categorical", "continuous", "mixed")


@dataclass(frozen=True)
class Learner:
    """One published algorithm, declared once.

    Attributes
    ----------
    key, label, summary : str
        Key in `LEARNERS`, name on screen, and one plain sentence of what it does.
    choose_if : str
        When to take it, and not another: what follows "Choose it if".
    paper : str
        Where it was published.
    family : "constraint-based", "score-based" or "hybrid"
    kinds : tuple of Kind
        Kinds of data it takes. One that takes `EVERY_KIND` sees data through tests and scores alone, so it takes
        missing cells too.
    settings : tuple of Parameter
        In the order of the form, without their defaults; see `parameters`.
    function : callable
        ``function(*needs, *, **settings) -> LearnResult``. It is given `knowledge`, `tick` and `seed` if its signature
        names them.
    needs : tuple of callable
        What the function works on: each is called with the data set, e.g. `ci_test_for`, and takes the settings that
        its signature names.
    cost : callable
        ``cost(*cost_needs, **settings) -> float``: rough seconds of a run, from a probe of some milliseconds.
    cost_needs : tuple of callable, optional
        What the cost is told from. Default: `needs`.
    most_columns : int, optional
        Columns that it takes at most. Default: no limit.
    presets : tuple of Preset
        Ways to use it, the first by default; none if there is only one.
    orders : tuple of OrderConstraint
    cut : str
        The parameter, if any, that p-values are only held against, in every event of the trace that states it as its
        threshold: between the same two of them all its values have the same run. Stages of `common.stages` do not hang
        on it, and an `extra` that states it has a method `at_level`.
    limit : str
        The parameter, if any, that limits the parents of a node, and decides nothing where a search never comes to as
        many: `FamilyScore.widest` tells.
    spreads : bool
        Whether parts of a run can go to the workers of a scheduler (`common.spreading`).
    """

    key: str
    label: str
    summary: str
    choose_if: str
    paper: str
    family: Family
    kinds: tuple[Kind, ...]
    settings: tuple[Parameter, ...]
    function: Callable[..., LearnResult] = field(repr=False)
    needs: tuple[Need, ...] = field(repr=False)
    cost: Callable[..., float] = field(repr=False)
    cost_needs: tuple[Need, ...] | None = field(default=None, repr=False)
    most_columns: int | None = None
    presets: tuple[Preset, ...] = ()
    orders: tuple[OrderConstraint, ...] = ()
    cut: str = ""
    limit: str = ""
    spreads: bool = False

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The settings with their defaults, each read from the one signature that has it.

        A word that a setting does not offer is for other kinds of data; its default is then its first choice.

        Raises
        ------
        TypeError
            If no signature, or more than one, takes a setting.
        """
        return tuple(dataclasses.replace(one, default=self._default(one)) for one in self.settings)

    def _default(self, one: Parameter) -> Any:
        given = [defaults_of(function) for function in (*self.needs, self.function)]
        found = [defaults[one.name] for defaults in given if one.name in defaults]
        if len(found) != 1:
            raise TypeError(f"{self.key}: one signature must have {one.name!r}, found {len(found)}")
        return one.choices[0] if one.choices and found[0] not in one.choices else found[0]

    @property
    def takes_holes(self) -> bool:
        """Whether cells may be missing."""
        return self.kinds == EVERY_KIND

    @property
    def weighs_rows(self) -> bool:
        """Whether rows may have survey weights: those of categorical data alone count whole rows."""
        return "continuous" in self.kinds

    def refusal(self, dataset: Dataset) -> str | None:
        """Why the data cannot be learned from, in a sentence; None if they can."""
        if dataset.kind not in self.kinds:
            found = dataset.described + self._way_out(dataset)
            return f"{self.label} needs {' or '.join(self.kinds)} columns, found {found}"
        if not self.takes_holes and not dataset.complete:
            holes = [name for name, some in zip(dataset.names, dataset.incomplete, strict=True) if some]
            return (
                f"{self.label} needs every cell, found some missing in {quoted_columns(holes)}; drop those rows, fill "
                "the cells, or use a learner that takes each test on the rows it can use"
            )
        if dataset.surveyed and not self.weighs_rows:
            return (
                f"{self.label} counts whole rows, found survey weights; learn without them, and say so, or use a "
                "learner that takes numbers too, which weighs rows"
            )
        if self.most_columns is not None and dataset.p > self.most_columns:
            return (
                f"{self.label} takes at most {self.most_columns} columns, found {dataset.p:,}; leave some out, or use "
                "a learner that takes more"
            )
        return None

    def _way_out(self, dataset: Dataset) -> str:
        """What to do about columns of a kind that it does not take."""
        others = [name for name, kind in zip(dataset.names, dataset.kinds, strict=True) if kind not in self.kinds]
        if "continuous" not in self.kinds:
            return f"; cut {quoted_columns(others)} into bins, or use a learner that takes numbers"
        if len(others) < dataset.p:
            return f"; leave out {quoted_columns(others)}, or use a learner that takes both kinds"
        return "; use a learner that takes them"

    def parameters_for(self, kind: Kind) -> tuple[Parameter, ...]:
        """The parameters that mean something for this kind of data."""
        return tuple(parameter for parameter in self.parameters if kind in parameter.kinds)

    def checked(self, kind: Kind, params: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, defaults filled in, each checked against its declaration.

        Raises
        ------
        ParameterError
            If one is unknown, of another type or out of range.
        """
        known = {parameter.name: parameter for parameter in self.parameters_for(kind)}
        for name in params:
            if name not in known:
                raise ParameterError(
                    f"{self.key} has no parameter {name!r} for {kind} data{did_you_mean(name, list(known))}"
                )
        values = {name: parameter.checked(params.get(name, parameter.default)) for name, parameter in known.items()}
        return self._in_order(values)

    def checked_at(self, kind: Kind, checked: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters that are `checked`, some of them changed, which are parameters too; raises as `checked`."""
        known = {parameter.name: parameter for parameter in self.parameters_for(kind)}
        return self._in_order({**checked, **{name: known[name].checked(value) for name, value in changed.items()}})

    def _in_order(self, values: dict[str, Any]) -> dict[str, Any]:
        for order in self.orders:
            order.check(values)
        return values

    def follows_columns(self, values: Mapping[str, Any]) -> bool:
        """Whether the result depends on the order of the columns: parameters, all of them, may ask for that."""
        return any(
            values.get(one.name) in one.by_columns for one in self.parameters if one.by_columns and one.counts(values)
        )

    def with_first_column(self, values: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The values, with the name of the first column where a column is asked for and none is named."""
        first = {one.name: name for one in self.parameters if one.column and not values.get(one.name)}
        return {**values, **first}

    def run(
        self,
        dataset: Dataset,
        *,
        knowledge: Knowledge | None = None,
        tick: Tick = silent,
        seed: int = 0,
        cache: NoCache | None = None,
        **params: Any,
    ) -> LearnResult:
        """Learn with parameters that are checked; `cache` is shared with other runs on the data."""
        context = {"knowledge": knowledge, "tick": tick, "seed": seed}
        return call(self.function, self.needs, dataset, params, context, cache)

    def estimate(self, dataset: Dataset, **params: Any) -> float:
        """Rough seconds of a run with parameters that are checked."""
        needs = self.needs if self.cost_needs is None else self.cost_needs
        return LEAST_SECONDS + call(self.cost, needs, dataset, params, {})
