"""Settings for other column types: each refusal states the reason."""

from __future__ import annotations

from itertools import product

import pytest

from learners import LEARNERS, ParameterError
from learners.settings.column_types import why_not
from learners.settings.learner import EVERY_KIND

CASES = [
    (learner.key, kind, setting.name, choice)
    for learner, kind in product(LEARNERS.values(), EVERY_KIND)
    for setting in learner.settings
    for choice in setting.choices or (setting.low,)
    if not any(
        one.name == setting.name and (not setting.choices or choice in one.choices)
        for one in learner.parameters_for(kind)
    )
]


def test_each_setting_of_another_column_type_is_refused_with_the_reason():
    """Every learner, column type and choice: the message has a reason, and what to choose instead."""
    assert len(CASES) > 100
    for key, kind, name, choice in CASES:
        with pytest.raises(ParameterError, match=f"{kind} data, because it is for .+; (choose one of|did you mean)"):
            LEARNERS[key].checked(kind, {name: choice})


def test_unknown_settings_and_choices_have_no_reason():
    for params, words in (({"alfa": 0.1}, "data; did you mean 'alpha'"), ({"test": "none"}, "unknown test 'none'; ")):
        with pytest.raises(ParameterError, match=words):
            LEARNERS["pc"].checked("mixed", params)


@pytest.mark.parametrize(
    ("kinds", "kind", "words"),
    [
        (["continuous", "mixed"], "categorical", "for numbers, which categorical data"),
        (["categorical"], "mixed", "for levels, which numbers"),
        (["continuous"], "mixed", "for numbers alone"),
        (["mixed"], "continuous", "no categories"),
    ],
)
def test_the_reason_follows_the_column_types(kinds, kind, words):
    assert words in why_not(kinds, kind)
