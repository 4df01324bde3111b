"""Tests of references to functions, which have the function's defaults without importing it."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from learners.families.catalogue import LEARNERS
from learners.settings.needs import SKELETONS
from learners.settings.reference import Reference, defaults_of
from tests.learners.test_public import printed

REFERENCES = {
    one
    for learner in LEARNERS.values()
    for one in (learner.function, learner.cost, *learner.needs, *(learner.cost_needs or ()))
    if isinstance(one, Reference)
}


@pytest.mark.parametrize("one", sorted(REFERENCES, key=repr), ids=lambda one: f"{one.name}{len(one.given)}")
def test_defaults_in_the_source_are_those_of_the_function(one):
    """Every parameter with a default is found in the source, with its value if that is a literal."""
    function = getattr(import_module(f"learners.{one.module}"), one.name)
    parameters = inspect.signature(function).parameters.values()
    expected = {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty} | dict(one.given)
    assert set(defaults_of(one)) == set(expected)
    known = {name: value for name, value in defaults_of(one).items() if value is not ...}
    assert known == {name: expected[name] for name in known}


def test_settings_given_to_a_reference_can_be_overridden():
    """Keyword arguments take precedence, as with `functools.partial`."""
    twice = Reference("settings.reference", "Reference").giving(module="a").giving(given=(("x", 1),))
    assert twice(name="b") == Reference("a", "b", (("x", 1),))
    assert twice(name="b", module="c").module == "c"


def test_a_learner_is_called_by_its_reference():
    """Every learner has a reference to its function, which is named by the learner's key."""
    for learner in LEARNERS.values():
        assert isinstance(learner.function, Reference)
        assert learner.function.name == learner.key


def test_choices_of_skeletons_are_those_that_are_done():
    """The choices listed in the settings, which do not import the searches, are the skeletons that exist."""
    of_path, of_gsc = (
        next(one.choices for one in LEARNERS[key].settings if one.name == "skeleton") for key in ("path", "gsc")
    )
    assert of_gsc == tuple(SKELETONS)
    assert set(of_path) <= set(SKELETONS)


def test_the_catalogue_loads_no_package():
    """The catalogue of learners and parameters loads neither NumPy and similar packages nor the computing modules."""
    loaded = printed(
        "from learners.families.catalogue import LEARNERS; [one.parameters for one in LEARNERS.values()]; "
        "print(*{name.split('.')[0] for name in sys.modules} & {'numpy', 'scipy', 'pandas', 'numba', 'pyarrow'}, "
        "*(name for name in sys.modules if name in ('learners.registry', 'learners.independence', 'learners.scores')))"
    )
    assert loaded == []
