"""The declaration of a learner, read by the app, the command line and the tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ..common.memory import INDICATOR_PAIR_BYTES, MAX_INDICATORS, MAX_PAIRED_STATES, PAIR_BYTES, STATE_PAIR_BYTES
from ..common.progress import Tick, silent
from ..common.validation import with_new_names
from ..common.wording import quoted_columns
from .column_types import check_choice_of_kind, check_name
from .parameter import OrderConstraint, Parameter, Preset
from .reference import Reference, defaults_of
from .shared import AVAILABLE, MISSING

if TYPE_CHECKING:
    from ..data.dataset import Dataset, Kind
    from ..graphs.knowledge import Knowledge
    from ..results.result import LearnResult

T = TypeVar("T")
Need = Callable[..., Any]  # need(dataset, **settings) returns the input of a learner
with_completion = Reference("completion.completed", "with_completion")
with_drawn_cells = Reference("data.completed_data", "with_drawn_cells")
cost_of_completion = Reference("completion.categorical_augmentation", "cost_of_completion")
MIN_SECONDS = 0.006  # minimum estimate of the duration of a run
Family = Literal["constraint-based", "score-based", "hybrid"]
Gives = Literal["graph", "ranking", "probabilities"]
EVERY_KIND: tuple[Kind, ...] = ("categorical", "continuous", "mixed")


class NoCache:
    """Compute each step of a learner, uncached; `sweeping.shared_cache.SharedCache` reuses steps of other runs."""

    def once(self, _key: Hashable, compute: Callable[[], T]) -> T:
        """Return a step of the learner, computed now."""
        return compute()

    def bound(self, need: Need, dataset: Dataset, own: dict[str, Any], context: dict[str, Any]) -> Any:
        """Return an input of a learner: `need` called with its own settings and its context."""
        return need(dataset, **own, **context)


@dataclass(frozen=True)
class Learner:
    """Declaration of one published algorithm.

    Attributes
    ----------
    key, label, summary : str
        Key in `LEARNERS`, name on screen, and one plain sentence on what it does.
    choose_if : str
        The end of the sentence "Choose it if …".
    paper : str
        The publication.
    family : "constraint-based", "score-based" or "hybrid"
    kinds : tuple of Kind
        Kinds of data sets that it accepts. A learner of `EVERY_KIND` accesses data only through tests and scores, which
        can leave out the rows that lack a cell, unless it `needs_cells`.
    settings : tuple of Parameter
        Settings in the order of the form, without their defaults; see `parameters`. The treatment of missing cells is
        added to those of learners that take missing values.
    function : callable
        ``function(*needs, *, **settings) -> LearnResult``. It receives `knowledge`, `tick` and `seed` if its signature
        names them.
    needs : tuple of callable
        Each returns an argument of the function for a data set, e.g. `ci_test_for`, and takes the settings that its
        signature names.
    cost : callable
        ``cost(*cost_needs, **settings) -> float``: an estimate of the seconds of a run, from a probe of milliseconds.
    cost_needs : tuple of callable, optional
        The needs of the estimate. Default: `needs`.
    most_columns : int, optional
        Largest number of columns. Default: no limit.
    pair_bytes : int
        Bytes that a run on numbers takes at its peak for each ordered pair of columns, as measured with 1,000 columns;
        see `common.memory`. The correlations of the data are among them.
    level_pair_bytes : int, optional
        The same for other data, if it is more, without the pairs of levels; see `bytes_of_pairs`.
    presets : tuple of Preset
        Named groups of settings, the default first; empty if there is only one way to use the learner.
    orders : tuple of OrderConstraint
    cut : str
        A parameter, if any, that is only compared with p-values, in each event of the trace that states it as its
        threshold. All its values between the same two p-values then give the same run. The cached steps of
        `common.step_cache` do not depend on it, and an `extra` that states it has a method `at_level`.
    limit : str
        A parameter, if any, that limits the parents of a node and changes nothing unless a search reaches it;
        `FamilyScore.widest` records how many parents a search reached.
    spreads : bool
        True if parts of a run can go to the workers of a scheduler (`common.dask_client`).
    why_kinds : str
        A sentence on the reason why it does not accept other kinds; empty if it accepts every kind.
    needs_cells : bool
        True if it cannot leave out the rows that lack a cell, whatever its kinds: missing cells are always completed.
    gives : {"graph", "ranking", "probabilities"}
        What its result has besides the graph: a ranking of the pairs, or probabilities of edges that can be calibrated.
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
    needs_cells: bool = False
    why_kinds: str = ""
    gives: Gives = "graph"
    pair_bytes: int = PAIR_BYTES
    level_pair_bytes: int = 0

    def __post_init__(self) -> None:
        if self.takes_missing and MISSING not in self.settings:
            object.__setattr__(self, "settings", (*self.settings, MISSING))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The settings with their defaults, each read from the one signature that has it.

        A default that is not among the choices of the setting belongs to other kinds of data; the first choice is then
        the default.

        Raises
        ------
        TypeError
            If no signature, or more than one, takes a setting.
        """
        return tuple(dataclasses.replace(setting, default=self._default(setting)) for setting in self.settings)

    def _default(self, setting: Parameter) -> Any:
        given = [defaults_of(function) for function in (*self.needs, self.function, with_completion)]
        found = [defaults[setting.name] for defaults in given if setting.name in defaults]
        if len(found) != 1:
            raise TypeError(f"{self.key}: one signature must have {setting.name!r}, found {len(found)}")
        return setting.choices[0] if setting.choices and found[0] not in setting.choices else found[0]

    @property
    def takes_missing(self) -> bool:
        """True if the learner itself can leave out the rows that lack a cell; other learners need imputed cells."""
        return self.kinds == EVERY_KIND and not self.needs_cells

    @property
    def weighs_rows(self) -> bool:
        """True if rows may have survey weights: learners of only categorical data count whole rows."""
        return "continuous" in self.kinds

    def bytes_of_pairs(self, dataset: Dataset) -> float:
        """Return the bytes that a run on a data set is expected to take at its peak for all pairs of columns.

        These include the counts of all pairs of levels if they are few, or the correlations of levels beside numbers.
        """
        if dataset.kind == "continuous":
            return self.pair_bytes * float(dataset.p) ** 2
        if dataset.kind == "mixed":
            indicators = (dataset.arity - 1).clip(max=MAX_INDICATORS)
            more = INDICATOR_PAIR_BYTES * float(indicators.sum() + dataset.p - len(indicators)) ** 2
        else:
            states = float(dataset.arity.sum())
            more = STATE_PAIR_BYTES * states**2 if states <= MAX_PAIRED_STATES else 0.0
        return max(self.pair_bytes, self.level_pair_bytes) * float(dataset.p) ** 2 + more

    def refusal(self, dataset: Dataset) -> str | None:
        """Return a sentence on the reason why the learner does not accept the data; None if it does."""
        if dataset.kind not in self.kinds:
            found = dataset.described + self._fix(dataset)
            why = f". {self.why_kinds}" if self.why_kinds else ""
            return f"{self.label} needs {' or '.join(self.kinds)} columns, found {found}{why}"
        if dataset.surveyed and not self.weighs_rows:
            found = "survey weights" if dataset.independence == 1.0 else "rows that depend on one another"
            return (
                f"{self.label} counts whole rows, found {found}; learn without them, or use a learner that "
                "weighs rows: those that also take continuous data do"
            )
        if self.most_columns is not None and dataset.p > self.most_columns:
            return (
                f"{self.label} takes at most {self.most_columns} columns, found {dataset.p:,}; leave some out, or use "
                "a learner that takes more"
            )
        return None

    def _fix(self, dataset: Dataset) -> str:
        """Return the fix for columns of a type that the learner does not take."""
        others = [name for name, kind in zip(dataset.names, dataset.kinds, strict=True) if kind not in self.kinds]
        if "continuous" not in self.kinds:
            return f"; cut {quoted_columns(others)} into bins, or use a learner that takes continuous data"
        if len(others) < dataset.p:
            return f"; leave out {quoted_columns(others)}, or use a learner that takes mixed data"
        return "; use a learner for this column type"

    def parameters_for(self, kind: Kind) -> tuple[Parameter, ...]:
        """Return the parameters that apply to this kind of data."""
        return self._by_kind[kind]

    @cached_property
    def _by_kind(self) -> dict[Kind, tuple[Parameter, ...]]:
        return {kind: tuple(one for one in self.parameters if kind in one.kinds) for kind in EVERY_KIND}

    def parameters_of(self, dataset: Dataset) -> tuple[Parameter, ...]:
        """Return the parameters that apply to the data.

        The treatment of missing cells is left out if none is missing, or if the learner only tests categorical data.
        """
        asked = self.parameters_for(dataset.kind)
        completes = not dataset.complete and (dataset.kind != "categorical" or self._scores)
        return tuple(one for one in asked if one.name != MISSING.name or completes)

    @property
    def _scores(self) -> bool:
        """True if a need is a score."""
        return any("score" in defaults_of(one) or getattr(one, "module", "").startswith("scores") for one in self.needs)

    def recorded(self, values: Mapping[str, Any], dataset: Dataset) -> dict[str, Any]:
        """Return the values to store in a result: those that apply to the data."""
        applies = {parameter.name for parameter in self.parameters_of(dataset)}
        return {name: value for name, value in values.items() if name in applies}

    def with_present_names(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters with earlier names replaced by the current ones.

        Raises
        ------
        ParameterError
            If one has both its names.
        """
        former = {parameter.former: parameter.name for parameter in self.settings if parameter.former}
        return with_new_names(params, former)

    def checked(self, kind: Kind, params: Mapping[str, Any]) -> dict[str, Any]:
        """Check each parameter against its declaration and return all of them, with the defaults filled in.

        Raises
        ------
        ParameterError
            If one is unknown, of another type or out of range.
        """
        known = {parameter.name: parameter for parameter in self.parameters_for(kind)}
        params = self.with_present_names(params)
        for name, value in params.items():
            check_name(self.key, name, known, self.settings, kind)
            check_choice_of_kind(known[name], value, self.settings, kind)
        values = {  # a test checks the defaults
            name: parameter.checked(params[name]) if name in params else parameter.default
            for name, parameter in known.items()
        }
        return self._in_order(values)

    def checked_at(self, kind: Kind, checked: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
        """Return checked parameters with some of them changed; raise errors as `checked`."""
        known = {parameter.name: parameter for parameter in self.parameters_for(kind)}
        return self._in_order({**checked, **{name: known[name].checked(value) for name, value in changed.items()}})

    def _in_order(self, values: dict[str, Any]) -> dict[str, Any]:
        for order in self.orders:
            order.check(values)
        return values

    def follows_columns(self, values: Mapping[str, Any]) -> bool:
        """Return True if the result for these parameters depends on the order of the columns."""
        return any(
            values.get(parameter.name) in parameter.by_columns
            for parameter in self.parameters
            if parameter.by_columns and parameter.counts(values)
        )

    def with_first_column(self, values: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Return the values with the first column in place of an empty column name."""
        first = {
            parameter.name: name for parameter in self.parameters if parameter.column and not values.get(parameter.name)
        }
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
        """Learn with checked parameters; `cache` is shared with other runs on the data."""
        cache = cache or NoCache()
        params.pop(MISSING.name, None)  # already applied to the data
        context = {"knowledge": knowledge, "tick": tick, "seed": seed}
        needs, taken = _bound(self.needs, dataset, params, context, cache)
        left = {name: value for name, value in params.items() if name not in taken}
        context["once"] = partial(_once, cache, (id(dataset), *sorted(taken.items())))
        learn = getattr(self.function, "unchecked", self.function)
        return _with_notes(learn(*needs, **left, **_known(self.function, context)), needs)

    def estimate(self, dataset: Dataset, **params: Any) -> float:
        """Estimate the seconds of a run with checked parameters."""
        needs = self.needs if self.cost_needs is None else self.cost_needs
        completes = params.pop(MISSING.name, None) != AVAILABLE and not dataset.complete
        fills = completes and not self.takes_missing  # the run uses completed cells, so the probe needs some, too
        given, taken = _bound(needs, with_drawn_cells(dataset) if fills else dataset, params, {}, NoCache())
        left = {name: value for name, value in params.items() if name not in taken}
        seconds = MIN_SECONDS + self.cost(*given, **left)
        return seconds + cost_of_completion(dataset) if fills or (completes and self._scores) else seconds


def _bound(
    needs: tuple[Need, ...],
    dataset: Dataset,
    settings: Mapping[str, Any],
    context: Mapping[str, Any],
    cache: NoCache,
) -> tuple[list[Any], dict[str, Any]]:
    """Bind tests and scores to the data, each with the settings that its signature names.

    Parameters
    ----------
    needs : tuple of callable
    dataset : Dataset
    settings : mapping
        All settings of the run.
    context : mapping
        Knowledge, listener and seed, passed to the callables whose signatures name them.
    cache : NoCache

    Returns
    -------
    list
        Return values of the needs, in their order.
    dict
        The settings that they took; the others are those of the function itself.
    """
    bound, taken = [], {}
    for need in needs:
        own = {name: settings[name] for name in defaults_of(need) if name in settings and name not in taken}
        bound.append(cache.bound(need, dataset, own, _known(need, context)))
        taken |= own
    return bound, taken


def _known(function: Callable[..., Any], context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of the context that the signature of a function names."""
    return {name: value for name, value in context.items() if name in defaults_of(function)}


def _once(cache: NoCache, bound: Hashable, key: Hashable, compute: Callable[[], Any]) -> Any:
    """Return a step of a function whose needs were bound with these settings."""
    return cache.once((bound, key), compute)


def _with_notes(result: LearnResult, needs: list[Any]) -> LearnResult:
    """Add the warnings of the tests, and the numbers of rows that the tests or scores used, to the result."""
    rows = next((need.rows_used for need in needs if getattr(need, "rows_used", None)), result.rows_used)
    warnings = tuple(warning for need in needs for warning in getattr(need, "warnings", ()))
    if not warnings and rows == result.rows_used:
        return result
    return dataclasses.replace(result, rows_used=rows, warnings=(*result.warnings, *warnings))
