"""Tests that every public callable refuses invalid arguments with an error of the library."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import pytest

from learners import LearnersError
from learners.common.progress import Stopped
from learners.common.validation import argument_type, resolved

from .public_calls import example, given, public_callables

PUBLIC = public_callables()
ARGUMENTS = [(name, argument) for name, one in PUBLIC.items() for argument in inspect.signature(one).parameters]
ARGUMENTS = [(name, argument) for name, argument in ARGUMENTS if argument not in ("self", "params", "options", "parts")]
LONG = 1_000  # maximum number of characters of a message
# These callables check their arguments and accept more than the annotations: other frames, strings, sets of pairs.
LENIENT = {"Knowledge", *(f"Dataset.{name}" for name in ("from_codes", "from_values", "from_frame", "with_weights"))}


class Rude:
    """An object whose `repr` fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None, "True": lambda: True, "1": lambda: 1, "-1": lambda: -1, "5": lambda: 5, "1j": lambda: 1j,
    "2**70": lambda: 2**70, "1.0": lambda: 1.0, "0.5": lambda: 0.5, "nan": lambda: math.nan, "inf": lambda: math.inf,
    "''": lambda: "", "x": lambda: "x", "a": lambda: "a", "bytes": lambda: b"x", "[]": lambda: [], "[1]": lambda: [1],
    "[-1]": lambda: [-1], "[nan]": lambda: [float("nan")], "['x']": lambda: ["x"], "[None]": lambda: [None],
    "[[1],[1,2]]": lambda: [[1], [1, 2]], "()": lambda: (), "('a','b')": lambda: ("a", "b"), "(0,1)": lambda: (0, 1),
    "[(0,1)]": lambda: [(0, 1)], "[('a','x')]": lambda: [("a", "x")], "{}": dict, "{'a':1}": lambda: {"a": 1},
    "{'a':'x'}": lambda: {"a": "x"}, "{1:[]}": lambda: {1: []}, "{'x':nan}": lambda: {"x": float("nan")},
    "set": lambda: {1, "a"}, "object": object, "type": lambda: int, "len": lambda: len, "rude": Rude,
    "np.int64": lambda: np.int64(1), "np.float64": lambda: np.float64(0.5), "np.bool": lambda: np.True_,
    "array": lambda: np.zeros((2, 3)), "array of 1": lambda: np.array([7]), "no array": lambda: np.array(0.5),
    "array of texts": lambda: np.array(["x"]), "array of objects": lambda: np.array([None, "x"], dtype=object),
    "frame": lambda: pd.DataFrame({"a": ["q"]}), "series": lambda: pd.Series([1, 2]), "NA": lambda: pd.NA,
    "['a','a']": lambda: ["a", "a"], "[0,0]": lambda: [0, 0], "[(0,7)]": lambda: [(0, 7)], "7": lambda: 7,
    "[graph]": lambda: [given().other_graph], "[7]": lambda: [7],
    "dataset": lambda: given().mixed, "graph": lambda: given().other_graph, "result": lambda: given().result,
}  # fmt: skip


def outcome(name: str, argument: str, odd: Any) -> LearnersError | None:
    """Call with one odd argument, exhaust an iterator, and return the library's own error, if any."""
    call, arguments = example(name)
    try:
        found = call(**arguments | {argument: odd})
        if isinstance(found, Iterator):
            list(found)
    except LearnersError as error:
        return error
    except Stopped:  # raised by a cancelled run, as documented
        return None
    return None


def faults(name: str, argument: str, odd: dict[str, Callable[[], Any]]) -> Iterator[str]:
    """Yield the faults that odd values cause: unexpected exceptions, long messages, and wrong types accepted."""
    allows = argument_type(resolved(PUBLIC[name])[argument]).allows
    for words, make in odd.items():
        if callable(make()) and allows(make()):
            continue  # exceptions of a caller's callable are the caller's own
        try:
            refusal = outcome(name, argument, make())
        except Exception as error:  # the test reports any unexpected exception
            yield f"{argument}={words}: {error!r}"[:200]
            continue
        if refusal is None and not allows(make()) and name not in LENIENT:
            yield f"{argument}={words} was accepted"
        if refusal is not None and not 0 < len(str(refusal)) < LONG:
            yield f"{argument}={words}: a message of {len(str(refusal))} characters"


UNANSWERED = {"MixedNetwork.most_probable", "RegressionNetwork.most_probable"}  # methods that refuse every call


@pytest.mark.gate_cases(50)
@pytest.mark.parametrize("name", sorted(PUBLIC.keys() - UNANSWERED))
def test_the_call_that_others_start_from_goes_well(name):
    """The example call succeeds; otherwise odd values might be refused for another reason."""
    call, arguments = example(name)
    with suppress(Stopped):
        found = call(**arguments)
        if isinstance(found, Iterator):
            list(found)


@pytest.mark.parametrize("name", PUBLIC)
def test_annotations_of_public_callables_are_resolved(name):
    """All annotations can be resolved; a name imported only for type checkers would leave its parameter unchecked."""
    for argument, parameter in inspect.signature(PUBLIC[name]).parameters.items():
        if argument != "self" and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            assert parameter.annotation is not parameter.empty, argument
            assert resolved(PUBLIC[name])[argument] is not Any or "Any" in str(parameter.annotation), argument


@pytest.mark.gate_cases(50)
@pytest.mark.parametrize("name", PUBLIC)
def test_an_odd_value_is_refused_by_the_library_itself(name):
    """Each of three odd values per argument is refused with an error of the library; the deep test tries all values."""
    own = [argument for one, argument in ARGUMENTS if one == name]
    words = list(ODD)
    for k, argument in enumerate(own):
        first = len(name) + 7 * k
        some = {word: ODD[word] for word in (words[(first + step) % len(words)] for step in (0, 17, 31))}
        assert not list(faults(name, argument, some))


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_every_odd_value_is_refused_by_the_library_itself(name, argument):
    """Each odd value for each argument of each public callable is refused with an error of the library."""
    assert not list(faults(name, argument, ODD))


FORMER = (  # calls that once gave unexpected exceptions, crashes, or accepted wrong values
    *(("sweep_two", "near", "1.0"), ("sweep", "parameter", "[]"), ("sweep", "tick", "1.0"), ("sweep", "near", "nan")),
    *(("sweep_two", "near", "('a','b')"), ("exact_posterior", "score", "1"), ("order_posterior", "score", "1")),
    *(("causes", "before", "1"), ("causes", "among", "[(0,7)]"), ("questions", "result", "1")),
    *(("write_recipe", "recipe", "1"), ("recipe_of", "seed", "x"), ("recipe_of", "seed", "-1")),
    *(("recipe_of", "held_out", "1.0"), ("recipe_of", "reading", "{'a':1}"), ("PDAG.parents", "j", "-1")),
    *(("PDAG.mark", "i", "7"), ("Dataset.select", "columns", "[-1]"), ("Dataset.take", "rows", "[-1]")),
    *(("Dataset.reordered", "order", "[0,0]"), ("DependenceOracle.log_odds", "cond", "[7]")),
    *(("DependencePosterior.log_odds", "cond", "[7]"), ("order_posterior", "threads", "-1"), ("boss", "seed", "-1")),
    *(("adjustment_sets", "most", "-1"), ("sweep_values", "most", "-1"), ("Posterior", "classes", "[]")),
    *(("longest_plateau", "values", "[]"), ("survival", "graphs", "array")),
)


@pytest.mark.parametrize(("name", "argument", "word"), FORMER)
def test_what_once_went_wrong_is_refused(name, argument, word):
    """Values that once caused another type of error are refused with an error of the library."""
    assert outcome(name, argument, ODD[word]())
