"""Tests of recommendations: from benchmark results to one learner with a reason."""

from __future__ import annotations

import re

import numpy as np
import pytest

from learners import (
    LEARNERS,
    DataError,
    Dataset,
    ParameterError,
    load_sample,
    random_gaussian_network,
    random_mixed_network,
    recommend,
    sample,
    with_missing_cells,
)
from learners.choosing import recommendation
from learners.choosing.benchmark_results import GOALS, settings

DATA = {
    "asia": lambda: load_sample("asia").dataset,
    "alarm": lambda: load_sample("alarm").dataset.take(range(1_000)),
    "linear": lambda: sample(random_gaussian_network(30, 40, 1), 300, seed=1),
    "both": lambda: sample(random_mixed_network(12, 15, 1), 300, seed=1),
    "holes": lambda: with_missing_cells(load_sample("alarm").dataset.take(range(500)), 0.05, seed=1),
}


@pytest.mark.gate_cases(4)
@pytest.mark.compiled
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("name", DATA)
def test_the_recommendation_is_the_best_learner_that_takes_the_table(name, goal):
    """Learners are sorted by their shares, except for exact probabilities, which come first, and the second graph."""
    data = DATA[name]()
    found = recommend(data, goal)
    assert found.learner == found.choices[0].key
    assert all(LEARNERS[one.key].refusal(data) is None for one in (*found.choices, *found.slow))
    assert found.sentence.startswith(f"{LEARNERS[found.learner].label}: ")
    rest = [one for one in found.choices[found.learner == "exact_posterior" :] if one != found.second]
    shares = [one.share for one in rest]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share <= 1 for share in shares)
    assert not re.search(r"nan|\{|\}", found.sentence)


@pytest.mark.parametrize("name", DATA)
def test_the_second_learner_of_a_graph_complements_the_first(name, monkeypatch):
    """No other of the nine best learners is clearly better than the first; the reason says that the choice is open.

    All learners are quick enough here, because estimated durations depend on the machine.
    """
    monkeypatch.setattr(recommendation, "expected_seconds", lambda *_: 1.0)
    data = DATA[name]()
    found = recommend(data)
    assert found.second == found.choices[1]
    assert (
        f"whether {found.choices[0].label} or {found.second.label} is closer to the truth on this table; compare both."
        in found.sentence
    )
    shares = [one.shares("graph") for one in settings() if one.kind == data.kind]
    both = {
        one.key: sum(max(own[found.learner], own.get(one.key, 0.0)) for own in shares if found.learner in own)
        for one in recommend(data, n_choices=9).choices[1:]
    }
    assert both[found.second.key] >= max(both.values()) - 1e-9
    assert recommend(data, "ranking").second is None
    assert recommend(data, n_choices=1).second is None


def test_few_columns_have_exact_probabilities():
    """Exact probabilities are recommended for asia; alarm has too many columns for them."""
    assert recommend(DATA["asia"](), "probabilities").learner == "exact_posterior"
    assert recommend(DATA["alarm"](), "probabilities").learner != "exact_posterior"


@pytest.mark.parametrize("goal", GOALS)
def test_exact_sums_of_half_a_minute_are_not_recommended(goal):
    """With 21 to 24 columns exact sums are possible, but another learner is recommended."""
    data = sample(random_gaussian_network(22, 30, 1), 300, seed=1)
    assert LEARNERS["exact_posterior"].refusal(data) is None
    assert "exact_posterior" not in {one.key for one in recommend(data, goal, n_choices=9).choices}


def test_a_slow_learner_is_named_and_passed_over(monkeypatch):
    """If the best learner is too slow, the reason names it and the next learner that is fast enough is recommended."""
    data = DATA["alarm"]()
    first, *others = recommend(data).choices
    second = max(others, key=lambda one: one.share)
    seconds = recommendation.expected_seconds
    slow = lambda key, data: 1e9 if key == first.key else seconds(key, data)  # noqa: E731
    monkeypatch.setattr(recommendation, "expected_seconds", slow)
    found = recommend(data)
    assert found.learner == second.key
    assert found.slow == (first,)
    assert f"{first.label} did better there" in found.sentence


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("goal", ["graph", "ranking"])
@pytest.mark.parametrize("quick", [0, 1, 2, 3, 5, 6, 9])
def test_few_durations_are_estimated(goal, quick, monkeypatch):
    """At most six durations are estimated, three if three learners are quick; more only until one is quick enough.

    `quick` is the rank of the first quick learner; every second one from there on is quick.
    """
    data, asked = DATA["alarm"](), []

    def seconds(key, _data):
        asked.append(key)
        rank = len(asked) - 1
        return 1.0 if rank >= quick and (rank - quick) % 2 == 0 else 1e9

    monkeypatch.setattr(recommendation, "expected_seconds", seconds)
    found = recommend(data, goal)
    assert len(asked) == len(set(asked)) == max(min(quick + 5, 6), quick + 1)
    assert [one.key for one in found.choices] == asked[quick::2]
    assert [one.key for one in found.slow] == asked[:quick]


def test_what_cannot_be_is_refused(monkeypatch):
    """An unknown goal raises a ParameterError, and a table on which no learner is fast enough a DataError."""
    with pytest.raises(ParameterError, match="goal"):
        recommend(DATA["asia"](), "causes")
    monkeypatch.setattr(recommendation, "expected_seconds", lambda *_: np.inf)
    with pytest.raises(DataError, match="no learner with benchmark results"):
        recommend(DATA["asia"]())


def test_shares_are_of_the_best_and_of_those_that_ended():
    """In each setting and for each goal, the best learner has share 1 and an unfinished one has share 0."""
    for one in settings():
        for goal in GOALS:
            shares = one.shares(goal)
            if shares:
                assert max(shares.values()) == 1.0
                assert min(shares.values()) >= 0.0
            assert all(shares.get(key, 0.0) == 0.0 for key, value in one.values[goal].items() if np.isnan(value))


def test_the_recommendation_is_as_good_as_the_best_single_learner():
    """Over all measured settings of a column type, no single learner is closer to the truth by more than 0.02."""
    for kind in ("categorical", "continuous", "mixed"):
        known = [one for one in settings() if one.kind == kind and one.columns > 8]
        always: dict[str, list[float]] = {}
        taken = []
        for one in known:
            weights = [recommendation._weight(other, _like(one)) for other in known]
            shares = one.shares("graph")
            taken.append(shares[recommendation._ranked(known, weights, "graph")[0].key])
            for key, share in shares.items():
                always.setdefault(key, []).append(share)
        best = max(np.mean(shares) for shares in always.values() if len(shares) == len(known))
        assert np.mean(taken) >= best - 0.02


def _like(one) -> Dataset:
    """Return a stand-in for a data set with the size of a setting; only the size determines the weights."""

    class Shape:
        p, n = one.columns, one.rows

    return Shape


def test_a_table_is_like_others_only_if_its_size_is():
    """The reason calls a table of 84 columns unlike the measured ones and states its size; alarm counts as similar."""
    rng = np.random.default_rng(0)
    wide = Dataset.from_values(rng.normal(size=(300, 84)), [f"v{j}" for j in range(84)])
    assert "of a similar size" not in recommend(wide).sentence
    assert "this table has 84 columns, 300 rows" in recommend(wide).sentence
    assert "of a similar size" in recommend(load_sample("alarm").dataset).sentence


@pytest.mark.parametrize("p", [3, 5, 8, 12, 70])
@pytest.mark.parametrize("n", [90, 800, 6000])
def test_tables_like_this_one_have_sizes_around_its_own(p, n):
    """If the reason calls tables like this one, the ranges that it states contain the size of the table."""
    rng = np.random.default_rng(p)
    sentence = recommend(Dataset.from_values(rng.normal(size=(n, p)), [f"v{j}" for j in range(p)])).sentence
    shown = re.search(
        r"(?:of a similar size:|tables have) ([\d,]+)(?: to ([\d,]+))? columns, ([\d,]+)(?: to ([\d,]+))? rows",
        sentence,
    )
    low, high, fewest, most = (int(one.replace(",", "")) if one else None for one in shown.groups())
    inside = low <= p <= (high or low) and fewest <= n <= (most or fewest)
    assert ("of a similar size" in sentence) == inside
