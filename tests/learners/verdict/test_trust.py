"""Tests of the probabilities of causes."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from benchmarks.worlds import simulate
from learners import Dataset, ParameterError, check_assumptions, learn, load_sample, trust, with_missing_cells
from learners.verdict.logistic_model import FOLDER, LogisticModel, stored
from learners.verdict.pair_evidence import candidates, features, pair_evidence
from learners.verdict.trust import HIDDEN_SHARES, SURE, Trust, reliability
from tests.learners.verdict.test_assumptions import curved
from tests.learners.verdict.test_hidden_factors import items

SEED = 890_200  # a seed used neither for training nor for the measurement


@pytest.fixture(scope="module")
def clean():
    """Return a table of eight columns without hidden variables."""
    return simulate("clean", SEED, 8, 1_000)


@pytest.fixture(scope="module")
def judged(clean) -> Trust:
    return trust(learn("boss", clean.data), clean.data)


def test_a_pair_is_judged_in_its_better_direction(judged):
    found = judged
    i, j = np.unravel_index(np.nanargmax(found.cause), found.cause.shape)
    a, b = found.names[i], found.names[j]
    first = found.of_pair(j, i)[0]
    assert found.of_pair(i, j) == found.of_pair(j, i)
    assert first.startswith(f"'{a}' causes '{b}' with P ")
    assert found.support["BOSS"].arrow[i, j] > 0.9
    assert list(found.support)[-1] == "order MCMC"
    i, j = next((i, j) for i, j in np.argwhere(found.cause == 0.0).tolist() if i < j and found.cause[j, i] == 0.0)
    assert found.of_pair(i, j) == ["no method often finds a cause in this pair"]


def test_claims_on_a_clean_table_are_right(clean, judged):
    """On a table without hidden causes, nearly all claims about causes are right (docs/guides/trust.md)."""
    sure = judged.cause >= SURE
    assert sure.sum() >= 3
    assert clean.causes[sure].all()
    with np.errstate(invalid="ignore"):
        assert clean.causes[judged.no_cause >= SURE].sum() <= 1
    assert (clean.adjacent[judged.adjacent >= SURE]).all()
    assert not judged.silent


@pytest.mark.deep
@pytest.mark.parametrize("world", ["categorical", "mixed"])
def test_claims_on_tables_with_categories_are_right(world):
    """On tables with categories, at most one claim is wrong (docs/guides/trust.md has the shares)."""
    table = simulate(world, SEED, 8, 2_000)
    result = learn("boss", table.data)
    found = trust(result, table.data)
    sure = found.cause >= SURE
    assert sure.any()
    assert table.causes[sure].all()
    with np.errstate(invalid="ignore"):
        assert table.causes[found.no_cause >= SURE].sum() <= 1
    assert table.adjacent[found.adjacent >= SURE].all()
    assert list(found.support)[:2] == ["BOSS", "BOSS-FCI"]
    order = [5, 2, 7, 0, 1, 6, 4, 3]
    data = table.data.reordered(order)
    np.testing.assert_array_equal(trust(learn("boss", data), data).cause, found.cause[np.ix_(order, order)])


def test_probabilities_are_probabilities(judged):
    for values in (judged.cause, judged.no_cause, judged.adjacent):
        known = values[~np.isnan(values)]
        assert ((known >= 0) & (known <= 1)).all()
    assert (judged.adjacent == judged.adjacent.T).all()
    assert judged.cause[judged.identified].size >= 0


def test_the_order_of_the_columns_does_not_matter(clean, judged):
    order = [5, 2, 7, 0, 1, 6, 4, 3]
    data = clean.data.reordered(order)
    found = trust(learn("boss", data), data)
    assert found.names == data.names
    for name in ("cause", "no_cause", "adjacent", "identified"):
        np.testing.assert_array_equal(getattr(found, name), getattr(judged, name)[np.ix_(order, order)])


@pytest.mark.parametrize("kind", ["continuous", "categorical", "mixed"])
def test_more_hidden_causes_in_the_field_make_causes_less_probable(judged, kind):
    found = [replace(judged, kind=kind).with_hidden_share(share) for share in HIDDEN_SHARES]
    assert [one.hidden_share for one in found] == list(HIDDEN_SHARES)
    np.testing.assert_array_equal(found[1].cause, judged.cause)
    some = (judged.cause > 0.01) & (judged.cause < 0.99)
    assert (found[0].cause[some] > judged.cause[some]).all()
    assert (found[2].cause[some] < judged.cause[some]).all()
    known = ~np.isnan(judged.no_cause)
    assert (found[2].no_cause[known] >= found[0].no_cause[known]).all()
    back = found[2].with_hidden_share(0.5)
    np.testing.assert_allclose(back.cause, judged.cause)
    assert reliability(kind, 0.9).tables == reliability(kind).tables
    with pytest.raises(ParameterError, match=r"hidden_share must be 0\.1, 0\.5 or 0\.9"):
        judged.with_hidden_share(0.3)


def test_rows_and_sentences_say_what_the_probabilities_say(clean, judged):
    result = learn("boss", clean.data)
    arrows = result.graph.directed_edges()
    good = sum(judged.cause[arrow] >= SURE for arrow in arrows)
    assert judged.sentences(result)[0].startswith(f"{good} of {len(arrows)} arrow")
    rows = judged.rows()
    assert len(rows[0]) == len(judged.HEADS)
    shown = [float(row[2]) for row in rows]
    assert shown == sorted(shown, reverse=True)
    i, j = np.unravel_index(judged.cause.argmax(), judged.cause.shape)
    assert rows[0][:2] == (judged.names[i], judged.names[j])
    assert shown[0] == judged.cause[i, j]
    assert rows[0][5] in ("identified", "by experience")


def test_an_undecided_pair_has_no_denial_and_unlikely_arrows_are_named(clean, judged):
    """No sentence denies a cause beside an undecided claim; arrows of P < 0.1 are a group of their own."""
    p = len(judged.names)
    for i, j in permutations(range(p), 2):
        said = " ".join(judged.of_pair(i, j))
        assert "does not cause" not in said or max(judged.cause[i, j], judged.cause[j, i]) >= SURE
    result = learn("boss", clean.data)
    arrows = result.graph.directed_edges()
    low = replace(judged, cause=np.full((p, p), 0.06))
    said = [str(one) for one in low.sentences(result)]
    assert said[0].startswith(f"0 of {len(arrows)}")
    assert said[1].startswith("not supported as causes: ")
    half = replace(judged, cause=np.full((p, p), 0.5))
    assert str(half.sentences(result)[1]).startswith("undecided: ")


@pytest.mark.parametrize(("kind", "share"), [("continuous", "82%"), ("categorical", "18 of 25"), ("mixed", "")])
def test_the_weakest_tables_are_named_with_claims_by_experience(clean, judged, kind, share):
    """If experience alone supports an arrow, the share on the least reliable simulated tables of its type is shown."""
    result = learn("boss", clean.data)
    by_experience = replace(judged, kind=kind, identified=np.zeros_like(judged.identified))
    said = [sentence for sentence in by_experience.sentences(result) if "fewer are right" in sentence]
    assert len(said) == bool(share)
    assert share in "".join(said)
    identified = replace(judged, kind=kind, identified=np.ones_like(judged.identified))
    assert not any("fewer are right" in sentence for sentence in identified.sentences(result))


def with_a_copy() -> Dataset:
    """Return categorical columns, with a copy of the first one under other level names."""
    codes = np.random.default_rng(0).integers(0, 2, (300, 3))
    words = np.where(codes[:, :1] == 1, "yes", "no")
    return Dataset.from_frame(
        pd.DataFrame(np.column_stack([codes.astype(str), words]), columns=["v1", "v2", "v3", "v4"])
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (curved(), "relations seem nonlinear"),
        (Dataset.from_values(items(), list("abcdefg")), "one hidden variable seems to explain 'a', 'b'"),
        (with_a_copy(), "other columns determine 'v4'"),
        (Dataset.from_values(items()[:, 4:], list("abc")), "from 4 to 100 columns"),
        (Dataset.from_values(items()[:90], list("abcdefg")), "only 90 rows"),
    ],
    ids=["curved", "questionnaire", "relabelled column", "few columns", "few rows"],
)
def test_nothing_is_claimed_where_claims_would_be_wrong(data, why):
    result = learn("hc", data)
    found = trust(result, data)
    assert why in found.silent
    assert np.isnan(found.cause).all()
    assert found.rows() == []
    assert found.sentences(result) == [f"nothing is claimed about causes, because {found.silent}"]
    assert found.verdict(0, 1) == "not judged"


def test_a_cancelled_verdict_is_none(clean):
    calls = []

    def tick(*_: object) -> bool:
        calls.append(1)
        return len(calls) < 4

    assert trust(learn("boss", clean.data), clean.data, tick=tick) is None


def test_data_of_another_result_are_refused(clean):
    other = load_sample("asia").dataset
    with pytest.raises(ParameterError, match="of this data set"):
        trust(learn("hc", other), clean.data)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("world", ["clean", "categorical", "mixed"])
def test_the_stored_models_take_these_features(world):
    data = simulate(world, SEED, 8, 1_000).data
    evidence = pair_evidence(data)
    for claim in ("cause", "no cause", "adjacent"):
        model = LogisticModel.from_dict(stored(f"trust_{data.kind}")[claim])
        values, names = features(evidence, candidates(evidence, claim))
        assert model.names == names
        parts = model.parts(values)
        np.testing.assert_allclose(1 / (1 + np.exp(-parts.sum(axis=1) - model.intercept)), model.probability(values))
    assert (FOLDER / f"trust_{data.kind}.json").stat().st_size < 20_000


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("world", ["clean", "categorical", "mixed"])
def test_tables_with_missing_cells_are_judged(world):
    """Imputed tables are judged where few rows are complete, and the sentences say how many cells were imputed."""
    table = simulate(world, SEED, 8, 2_000)
    data = with_missing_cells(table.data, 0.3, "mcar", seed=1)
    result = learn("boss", data)
    found = trust(result, data)
    assert not found.silent
    assert found.filled == data.n_missing.sum()
    assert found.rows_seen < 0.55 * data.n_rows  # share of rows with both cells: 0.7 squared
    said = " ".join(found.sentences(result))
    assert f"{found.filled:,} missing cells (" in said
    assert "missingness depends only on observed cells" in said


@pytest.mark.deep
def test_sure_causes_hold_where_cells_are_missing():
    """At least nine in ten of the sure causes in twelve tables with 30 % missing cells are right."""
    right = []
    for world in ("clean", "categorical", "mixed"):
        for seed in (1, 2, 3, 4):
            table = simulate(world, SEED, 8, 2_000)
            data = with_missing_cells(table.data, 0.3, "mcar", seed=seed)
            right += table.causes[trust(learn("boss", data), data).cause >= SURE].tolist()
    assert len(right) > 20
    assert np.mean(right) >= 0.9


@pytest.mark.deep
def test_pairs_seen_in_few_rows_are_not_judged(clean):
    values = np.array(clean.data.values)
    values[: len(values) // 2, 0] = np.nan
    values[len(values) // 3 :, 1] = np.nan
    data = Dataset.from_values(values, clean.data.names)
    found = trust(learn("boss", data), data)
    assert not found.silent
    assert np.isnan([found.cause[0, 1], found.cause[1, 0], found.no_cause[0, 1], found.adjacent[0, 1]]).all()
    assert found.verdict(0, 1) == found.verdict(1, 0) == "undecided"
    assert found.of_pair(0, 1) == ["too few rows have both of this pair, so it is not judged"]
    assert not np.isnan(found.cause[2, 3])


def test_cancelling_the_completion_cancels_the_verdict():
    table = simulate("categorical", SEED, 8, 500)
    data = with_missing_cells(table.data, 0.1, "mcar", seed=1)
    result = learn("boss", data)
    assert trust(result, data, seed=9, tick=lambda *_: False) is None


def test_gates_read_tables_with_missing_cells():
    """Nonlinear relations and serial rows are seen where a third of the cells is missing."""
    for world, part in (("squares", "nonlinear"), ("serial rows", "alike")):
        data = with_missing_cells(simulate(world, SEED, 8, 1_500).data, 0.3, "mcar", seed=2)
        found = check_assumptions(data)
        said = " ".join([*(one.kind for one in found.violations), found.unread, *found.skipped])
        assert part in said
