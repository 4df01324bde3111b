"""Tests of parameters and of the messages of their checks."""

from __future__ import annotations

import dataclasses
import math
from importlib import import_module

import pytest

from learners import ParameterError
from learners.common.checks import check_choice, check_count, check_open_interval
from learners.common.wording import did_you_mean, quoted
from learners.registry import LEARNERS
from learners.settings.parameter import OrderConstraint, Parameter, parameters
from learners.settings.reference import defaults_of


def parameter(default, **declared) -> Parameter:
    return Parameter("size", "Size", help="h", up="u", down="d", source="s", default=default, **declared)


REAL = parameter(0.5, low=0.0, high=1.0, open_ends=True)
CLOSED = parameter(0.5, low=0.0, high=1.0)
WHOLE = parameter(3, low=0, high=9, optional=True)
FLAG = parameter(True)
WORD = parameter("plain", choices=("plain", "adjusted"))


@pytest.mark.parametrize(
    ("declared", "value", "expected"),
    [
        (REAL, 0.05, 0.05),
        (CLOSED, 0, 0.0),
        (CLOSED, 1.0, 1.0),
        (WHOLE, 9, 9),
        (WHOLE, None, None),
        (FLAG, False, False),
        (WORD, "adjusted", "adjusted"),
    ],
    ids=str,
)
def test_parameter_gives_the_value_in_its_declared_type(declared, value, expected):
    """An integer given for a float becomes a float, so that equal settings look equal."""
    assert declared.checked(value) == expected
    assert type(declared.checked(value)) is type(expected)


@pytest.mark.parametrize(
    ("declared", "value", "message"),
    [
        (REAL, 0.0, r"size must be in \(0, 1\), got 0.0"),
        (REAL, 1, r"size must be in \(0, 1\), got 1$"),
        (REAL, math.nan, r"size must be in \(0, 1\), got nan"),
        (CLOSED, 1.5, r"size must be in \[0, 1\], got 1.5"),
        (CLOSED, math.inf, r"size must be in \[0, 1\], got inf"),
        (REAL, "0.5", "size must be a number, got '0.5'"),
        (REAL, True, "size must be a number, got True"),
        (REAL, None, "size must be a number, got None"),
        (WHOLE, 2.0, "size must be a whole number or None, got 2.0"),
        (WHOLE, True, "size must be a whole number or None, got True"),
        (WHOLE, 10, "size must be a whole number from 0 to 9, got 10"),
        (WHOLE, -1, "size must be a whole number from 0 to 9, got -1"),
        (FLAG, 1, "size must be True or False, got 1"),
        (WORD, "plane", "unknown size 'plane'; did you mean 'plain'?"),
        (WORD, "xyz", "unknown size 'xyz'; choose one of 'plain', 'adjusted'"),
        (WORD, None, "unknown size None"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_parameter_refuses_other_types_and_ranges(declared, value, message):
    """Values of other types or out of range are refused with the requirement and the value."""
    with pytest.raises(ParameterError, match="^" + message):
        declared.checked(value)


@pytest.mark.parametrize("low", [0.05, 0.1], ids=["equal", "above"])
def test_order_constraint_refuses_two_numbers_in_the_wrong_order(low):
    """Numbers in the wrong order are refused with the learner's names; a missing number violates no order."""
    order = OrderConstraint("alpha_min", "alpha")
    with pytest.raises(ParameterError, match=f"^alpha_min must be below alpha = 0.05, got {low}; lower it"):
        order.check({"alpha_min": low, "alpha": 0.05})
    order.check({"alpha_min": 0.01, "alpha": 0.05})
    order.check({"alpha_min": None, "alpha": 0.05})


def test_order_constraint_may_allow_equal_numbers():
    order = OrderConstraint("min_size", "max_size", or_equal=True)
    order.check({"min_size": 3, "max_size": 3})
    with pytest.raises(ParameterError, match="^min_size must be at most max_size = 3, got 4; lower it"):
        order.check({"min_size": 4, "max_size": 3})


@pytest.mark.parametrize("key", list(LEARNERS))
def test_a_learner_checks_its_calls_by_the_settings_of_its_form(key):
    """The function checks its settings by the declarations and order constraints that the form of the learner has."""
    learner = LEARNERS[key]
    function = getattr(import_module(f"learners.{learner.function.module}"), learner.function.name)
    own = [one for one in learner.settings if one.name in defaults_of(function)]
    assert list(map(id, function.settings)) == list(map(id, own))
    assert function.orders == learner.orders


@dataclasses.dataclass
class Answer:
    """A minimal result, with the attributes that the decorator uses."""

    seconds: float
    params: dict = dataclasses.field(default_factory=dict)


MOST = dataclasses.replace(REAL, name="most")


@parameters((REAL, MOST, dataclasses.replace(REAL, name="of_the_test")), OrderConstraint("size", "most"))
def learner(_data: str, *, size: float = 0.5, most: float = 0.75, tick: int = 0) -> Answer:  # noqa: ARG001
    return Answer(float(tick))


def test_a_call_records_the_settings_that_it_was_checked_by():
    assert learner("x") == Answer(0.0, {"size": 0.5, "most": 0.75})
    assert learner("x", size=0.25, tick=3) == Answer(3.0, {"size": 0.25, "most": 0.75})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": "x"}, "size must be a number, got 'x'"),
        ({"size": 1.0}, r"size must be in \(0, 1\), got 1.0"),
        ({"size": 0.8}, "size must be below most = 0.75, got 0.8"),
        ({"tick": 1.5}, "tick must be a whole number, got 1.5"),
    ],
    ids=["type", "range", "order", "not a setting"],
)
def test_a_call_with_a_wrong_setting_is_refused(given, message):
    with pytest.raises(ParameterError, match="^" + message):
        learner("x", **given)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, math.nan, math.inf, True, "0.5", None])
def test_check_open_interval_refuses_ends_and_non_numbers(value):
    """The ends of the interval, NaN and values that are not numbers are refused."""
    with pytest.raises(ParameterError, match=r"^alpha must be in \(0, 1\), got "):
        check_open_interval("alpha", value, 0.0, 1.0)


@pytest.mark.parametrize("value", [-1, 1.0, True, "3", None])
def test_check_count_refuses_what_is_no_count(value):
    """Values that are not counts are refused; None is accepted only if optional."""
    with pytest.raises(ParameterError, match="^size must be a whole number of at least 0, got "):
        check_count("size", value)


def test_checks_let_good_values_pass():
    check_open_interval("alpha", 1e-300, 0.0, 1.0)
    check_count("size", 0)
    check_count("size", None, optional=True)
    check_count("size", 2, low=2)
    check_choice("word", "a", ["a", "b"])
    with pytest.raises(ParameterError, match="at least 2, got 1"):
        check_count("size", 1, low=2)


def test_quoted_spells_out_five_names_and_cuts_long_ones():
    """A list for a message has at most five names, and long names are shortened."""
    assert quoted([]) == ""
    assert quoted(["a", "b'c"]) == "'a' and \"b'c\""
    assert quoted("abcde") == "'a', 'b', 'c', 'd' and 'e'"
    assert quoted("abcdefg") == "'a', 'b', 'c', 'd', 'e' and 2 more"
    assert quoted(["", "b"]) == "(empty) and 'b'"
    assert quoted(["x" * 61]) == f"'{'x' * 57}...'"
    assert quoted(["x" * 60]) == f"'{'x' * 60}'"


def test_did_you_mean_names_the_near_miss_or_all():
    """The hint for an unknown name gives the similar name, or all names if none is similar."""
    assert did_you_mean("pc_stabel", ["pc_stable", "lmm"]) == "; did you mean 'pc_stable'?"
    assert did_you_mean("zzz", ["pc", "lmm"]) == "; choose one of 'pc', 'lmm'"
    assert did_you_mean("zzz", ["pc", "l" * 900]) == f"; choose one of 'pc', '{'l' * 57}...'"


def test_a_parameter_may_count_only_beside_a_value_of_another():
    """A parameter applies if the other parameter has the given value, or is not among the values."""
    ess = next(one for one in LEARNERS["hc"].parameters if one.name == "ess")
    assert ess.counts({"score": "bdeu"})
    assert not ess.counts({"score": "bic"})
    assert ess.counts({})
    gain = next(one for one in LEARNERS["mmhc"].parameters if one.name == "polish_gain")
    assert gain.counts({"polish": True})
    assert not gain.counts({"polish": False})


@pytest.mark.parametrize("key", list(LEARNERS))
def test_what_a_parameter_counts_beside_is_a_choice_declared_before_it(key):
    """A parameter depends on a choice that is declared before it or absent from the learner."""
    before = {}  # by name and column type, since parameters for different column types may share a name
    for one in LEARNERS[key].parameters:
        if one.only_if and any(other.name == one.only_if[0] for other in LEARNERS[key].parameters):
            others = [before[one.only_if[0], kind] for kind in one.kinds if (one.only_if[0], kind) in before]
            assert others
            switch = (True, False)
            assert all(
                one.only_if[1] in (switch if isinstance(other.default, bool) else other.choices) for other in others
            )
        before |= {(one.name, kind): one for kind in one.kinds}
