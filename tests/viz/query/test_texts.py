"""Numbers of a query in the units of the table."""

import numpy as np
import pandas as pd
import pytest

from learners.data.dataset import Dataset
from learners.data.plan.scales import PLAIN, Scale
from learners.graphs.graph import PDAG
from learners.networks.fitting import fit
from learners.networks.inference.answers import Beliefs, Moments
from learners.networks.inference.evidence import checked_evidence
from learners.networks.network import DiscreteNetwork, GaussianNetwork
from viz.query.picture import MAX_TITLE, MAX_WORD, belief_table, marked, picture, share
from viz.query.texts import (
    AROUND,
    below_zero,
    error_sentence,
    in_table,
    missing_sentence,
    moments_text,
    predicted,
    scales_sentence,
)
from viz.translation.sentences import translated

MONEY = Scale("", lambda: (np.array([100.0, 1_000.0, 9_000.0]), np.array([-1.0, 0.0, 1.0])))
DAYS = Scale("days since 1 May")


def test_normal_scores_are_shown_as_values_of_the_table():
    """Normal scores appear as an interval of one standard deviation each side; other numbers as mean and deviation."""
    assert moments_text(0.0, 0.5, MONEY) == "1000 [550, 5000]"
    assert moments_text(3.0, 0.5, DAYS) == moments_text(3.0, 0.5, PLAIN) == "3 ± 0.5"


def test_units_and_normal_scores_are_named():
    text = scales_sentence(["a", "money", "when"], {"money": MONEY, "when": DAYS, "elsewhere": MONEY})
    assert text.startswith("when: days since 1 May. In the units of the table: money")
    assert "elsewhere" not in text
    assert scales_sentence(["a"], {}) == ""


def test_tables_use_the_units_of_the_table():
    now = Beliefs({"money": Moments(0.0, 0.25), "when": Moments(3.0, 4.0)}, 0.0)
    scales = {"money": MONEY, "when": DAYS}
    rows = belief_table(["money", "when"], ((), ()), {"now": now}, scales).to_numpy().tolist()
    assert rows == [
        *(["money", level, value] for level, value in zip(AROUND, (550.0, 1_000.0, 5_000.0), strict=True)),
        ["when", "mean", 3.0],
        ["when", "sd", 2.0],
    ]
    frame = pd.DataFrame({"money": [-1.0, 0.5, np.nan], "when": [1.0, 2.0, 3.0]})
    there = in_table(frame, scales)
    assert there["money"].tolist()[:2] == [100.0, 5_000.0]
    found = predicted(pd.DataFrame({"mean": [0.0], "sd": [0.5]}), MONEY)
    assert found.to_dict("list") == {"at mean - sd": [550.0], "at the mean": [1_000.0], "at mean + sd": [5_000.0]}


def test_texts_of_the_picture_use_the_units_of_the_table():
    """Sliders use the units of the data."""
    network = GaussianNetwork(["money", "b"], np.zeros((2, 2)), np.array([0.25, 1.0]), np.zeros(2))
    own = network.posterior()
    drawn = picture(network, np.zeros((2, 2)), [0, 1], own, own, None, {"money": MONEY})["nodes"]
    assert [node["texts"] for node in drawn] == [["1000 [550, 5000]"], ["0 ± 1"]]
    assert (drawn[0]["low"], drawn[0]["high"]) == (-2.0, 2.0)
    seen = network.posterior({"money": 0.5})
    actual = picture(network, np.zeros((2, 2)), [0], seen, own, None, {"money": MONEY})["nodes"][0]["texts"]
    assert actual == ["5000 (click to clear)"]
    known = checked_evidence(network.names, network.states, {"money": -0.5})
    (node,) = marked({"nodes": drawn[:1]}, known, known.known, {"money": MONEY})["nodes"]
    assert node["texts"] == ["550 (click to clear)"]


def test_errors_of_means_are_in_standard_deviations():
    """Standard errors of means are in standard deviations, because variables have different units."""
    now = Beliefs(
        {"c": np.array([0.5, 0.5]), "when": Moments(3.0, 10_000.0)}, 0.0, {"c": 0.004, "when": 0.74}, effective=20_000
    )
    text = error_sentence(now, ["c", "when"], (("u", "v"), ()))
    assert text.endswith(
        "standard error of the simulation at most 0.4 percentage points and 0.0074 standard deviations for means."
    )


def test_long_names_on_cards_show_what_differs():
    """Shortened names of variables and of levels on a card keep the words that differ."""
    names = [f"Q1_{k}. To what extent do you agree that the {what} was fine?" for k, what in enumerate(("food", "bed"))]
    levels = ["I strongly agree with this", "I strongly disagree with this"]
    network = DiscreteNetwork(names, (levels, levels), PDAG.empty(2), (np.full((1, 2), 0.5),) * 2)
    own = network.posterior()
    nodes = picture(network, np.zeros((2, 2)), [0, 1], own, own, None, {})["nodes"]
    for node, what in zip(nodes, ("food", "bed"), strict=True):
        assert what in node["label"]
        assert len(node["label"]) <= MAX_TITLE
        assert len(set(node["words"])) == 2
        assert max(map(len, node["words"])) <= MAX_WORD
        assert node["states"] == levels


def test_missing_cells_of_a_fit_are_stated():
    values = np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 1.0], [0.0, 2.0]])
    data = Dataset.from_values(values, ["a", "b"])
    assert missing_sentence(data.take([1, 3]), 0) == ""
    assert missing_sentence(data, 0).startswith("Each variable is fitted to the rows that have it and its parents.")
    assert missing_sentence(data, 10) == (
        "2 missing cells (25%) were imputed several times, by draws given the other columns. Parameters are means over "
        "10 imputed tables, and intervals include the uncertainty of the imputation. This assumes that missingness "
        "depends only on observed cells."
    )
    german = translated(missing_sentence(data, 10), "de")
    assert german.startswith(
        "2 fehlende Zellen (25%) wurden mehrfach imputiert, durch Ziehungen gegeben die anderen Spalten."
    )
    assert "filled" not in german


@pytest.mark.parametrize("error", [0.0, 0.0004, 0.004, 0.02])
def test_a_simulated_probability_has_no_digit_below_its_error(error):
    """A percentage has one decimal only if its standard error is at most half a unit of that decimal."""
    for value in np.linspace(0.0001, 0.9999, 400):
        text = share(value, error)
        assert ("." in text and text[0] not in "<>") <= (error <= 0.0005)
        if text[0] not in "<>":
            assert abs(float(text.rstrip("%")) / 100 - value) <= (0.0005 if error <= 0.0005 else 0.005) + 1e-12


def test_a_normal_curve_below_zero_is_named():
    """Counts near 0 have a curve with negative numbers, which the table does not have; ranks are shown otherwise."""
    rng = np.random.default_rng(1)
    values = np.column_stack([rng.poisson(1.5, 300), rng.normal(50.0, 5.0, 300), rng.normal(0.0, 1.0, 300)])
    data = Dataset.from_values(values.astype(float), ["days", "age", "z"])
    before = fit(PDAG.empty(3), data).posterior()
    assert below_zero(before, data, {}) == ["days"]
    assert below_zero(before, data, {"days": MONEY}) == []
