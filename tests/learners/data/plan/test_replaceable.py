"""Tests of columns that are left out although they could replace used ones, and of the directions at these."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import default_plan, learn, prepare, read_table
from learners.data.dataset import LeftOut
from learners.explaining.explanation import explanation
from learners.results.directions import Support

N = 1_000
GROUPS = {"sum": ("sys", "dia", "pulse"), "product": ("bmi", "weight", "height"), "score": ("score", "q1", "q2", "q3")}
LEARNERS = ("pc", "ges", "boss", "bootstrap")


def table(missing: float = 0.0):
    """Return a table with a sum, a product and a questionnaire, each of them between causes and effects."""
    rng = np.random.default_rng(910_044)
    age, salt, dose = rng.normal(50, 12, N), rng.normal(8, 2, N), rng.normal(20, 5, N)
    frame = pd.DataFrame({"age": age, "salt": salt, "dose": dose})
    frame["sys"] = (90 + 0.5 * age + 2 * salt + rng.normal(0, 5, N)).round()
    frame["dia"] = (50 + 1.5 * salt - 0.4 * dose + rng.normal(0, 4, N)).round()
    frame["pulse"] = frame.sys - frame.dia
    frame["height"] = rng.normal(170, 8, N).round()
    frame["weight"] = (25 * (frame.height / 100) ** 2 + 0.3 * (age - 50) + rng.normal(0, 8, N)).round(1)
    frame["bmi"] = (frame.weight / (frame.height / 100) ** 2).round(1)
    for k in (1, 2, 3):
        frame[f"q{k}"] = (3 + 0.03 * (age - 50) + 0.2 * (salt - 8) * k + rng.normal(0, 1, N)).round(2)
    frame["score"] = frame.q1 + frame.q2 + frame.q3
    frame["effect"] = 0.1 * frame.sys + 0.2 * frame.bmi + rng.normal(0, 2, N)
    frame["id"] = rng.permutation(N)
    frame = frame.mask(rng.random(frame.shape) < missing)
    return read_table(frame.to_csv(index=False).encode())


TABLE = table()


def prepared(out, source=TABLE):
    """Return the data set without one column of each group."""
    kept = default_plan(source).change("id", kind="ignore")
    return prepare(source, kept.change(*out, kind="ignore")).dataset


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("which", range(3))
def test_each_left_out_column_is_found_with_those_that_determine_it(which, missing):
    out = [members[which] for members in GROUPS.values()]
    found = {one.name: set(one.by) for one in prepared(out, table(missing)).left_out}
    assert found == {name: set(members) - {name} for name, members in zip(out, GROUPS.values(), strict=True)}


def test_nothing_is_found_if_two_of_a_group_or_unrelated_columns_are_left_out():
    assert prepared(["sys", "dia", "bmi", "weight", "q1", "q2", "effect", "age"]).left_out == ()
    assert prepared([]).left_out == ()


def test_rows_keep_the_record_and_columns_only_while_all_are_there():
    data = prepared(["pulse", "bmi", "score"])
    assert data.take([1, 2, 3]).left_out == data.left_out
    without = data.select([j for j, name in enumerate(data.names) if name != "dia"])
    assert LeftOut("pulse", ("sys", "dia")) in data.left_out
    assert {one.name for one in without.left_out} == {"bmi", "score"}


@pytest.mark.parametrize("key", LEARNERS)
def test_no_direction_at_a_replaceable_variable_is_strongly_supported(key):
    """Whichever column is left out: the strongly supported directions rest on no other column of its group."""
    limited, directions = 0, {}
    for which in range(3):
        out = [members[which] for members in GROUPS.values()]
        result = learn(key, prepared(out))
        chosen = {name for members in GROUPS.values() for name in members}
        for (i, j), direction in result.directions.items():
            pair = {result.names[i], result.names[j]}
            if direction.support is Support.CLEAR:
                assert not direction.left_out
                assert not pair & chosen
                premise = direction.premise
                assert not premise or not {result.names[k] for k in (premise.i, premise.k, premise.j)} & chosen
                directions.setdefault(frozenset(pair), set()).add(result.names[i])
            elif direction.left_out:
                limited += 1
                assert direction.support is Support.WEAK
                assert direction.left_out in out
                said = " ".join(explanation(result, (min(i, j), max(i, j))).sentences)
                assert f"'{direction.left_out}' was left out by choice" in said
    assert limited
    assert all(len(tails) == 1 for tails in directions.values())
