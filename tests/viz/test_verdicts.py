"""Tests of the verdict on arrows in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from learners import PDAG, Dataset, learn
from learners.results.directions import Support
from learners.verdict.assumptions import Assumptions
from learners.verdict.pair_evidence import Shares
from learners.verdict.trust import BINS, HIDDEN_SHARES, SURE, Trust, reliability
from viz.verdicts import (
    ADJACENT,
    CAUSES,
    DEFINITIONS,
    NO_CAUSE,
    arrow_table,
    beside_support,
    details,
    gates,
    headline,
    other_causes,
    reliability_caption,
    support_table,
    verdict_view,
)


def judged(silent: str = "") -> tuple[Trust, object]:
    """Return a verdict on a collider a -> c <- b, and its run."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 500))
    data = Dataset.from_values(np.column_stack([a, b, a + b + 0.5 * rng.standard_normal(500)]), ["a", "b", "c"])
    cause = np.zeros((3, 3))
    cause[0, 2], cause[1, 2], cause[0, 1] = 0.97, 0.6, 0.92
    no_cause = np.full((3, 3), np.nan)
    no_cause[2, 0] = 0.99
    identified = np.zeros((3, 3), dtype=bool)
    identified[0, 2] = True
    return Trust(data.names, cause, no_cause, np.full((3, 3), 0.5), identified, Assumptions(()), silent), learn(
        "hc", data
    )


def test_the_conclusion_comes_first():
    found, result = judged()
    assert headline(found, result) == "1 of 2 arrows is well supported as a cause."
    assert "Undecided: 'b' → 'c'" in details(found, result)[0]


def test_the_table_has_a_row_for_each_arrow():
    found, result = judged()
    table = arrow_table(found, result)
    assert table["arrow"].tolist() == ["a → c", "b → c"]
    assert table["verdict"].tolist() == ["identified", "undecided"]
    assert other_causes(found, result) == "1 more cause of P ≥ 0.9 is no arrow of this graph."


def test_the_probabilities_of_both_directions_agree():
    """P(i causes j) is at most P(j does not cause i), on screen, in sentences and in the table to download."""
    found, result = judged()
    no_cause = found.no_cause.copy()
    no_cause[2, 0], no_cause[2, 1] = 0.64, 0.95
    found = replace(found, no_cause=no_cause)
    assert arrow_table(found, result).iloc[:, 1:3].to_numpy().tolist() == [[0.97, 0.97], [0.6, 0.95]]
    assert "'c' does not cause 'a' with P = 0.97" in found.of_pair(0, 2)
    rows = {row[:2]: row for row in found.rows()}
    assert rows["a", "c"][2:4] == ("0.97", "0.97")
    assert rows["a", "b"][3] == ""


def test_a_part_more_probable_than_its_whole_is_defined():
    """P(x causes y) includes indirect causes, so it may exceed P(adjacent); its heading says so."""
    found, result = judged()
    table = arrow_table(found, result)
    assert (table[CAUSES] > table[ADJACENT]).any()
    assert "directly or not" in CAUSES
    assert "P(x causes y) also counts causes through others, so it may be larger" in DEFINITIONS
    assert (table[CAUSES] <= table[NO_CAUSE]).all() or table[NO_CAUSE].isna().any()


@pytest.mark.parametrize(("rows_seen", "arrow", "words"), [
    (0, 0.6, "BOSS finds this arrow in 60%, and the opposite one in 20%"),
    (236, 0.6, "counts 236 of 500 rows"),
    (0, 1.0, "FCI .01, which allows hidden causes, finds this arrow in only 10%"),
])  # fmt: skip
def test_the_verdict_stands_beside_the_odds(rows_seen, arrow, words):
    """An arrow with strong odds and an open verdict has both beside one another, with the reason of the difference."""
    found, result = judged()
    share, back, few = np.full((3, 3), arrow), np.full((3, 3), 0.2), np.full((3, 3), 0.1)
    back[1, 2], few[1, 2] = arrow, 0.1
    support = {"BOSS": Shares(back, share, share), "FCI .01": Shares(few, few, few)}
    found = replace(found, rows_seen=rows_seen, support=support)
    direction = result.directions[1, 2]
    assert direction.support is Support.CLEAR
    sentences = beside_support(found, result, 1, 2)
    assert sentences == beside_support(found, result, 2, 1)
    assert sentences[0] == "The reliability check leaves it undecided as a cause: P = 0.60, less than 0.9."
    assert words in " ".join(sentences)
    assert beside_support(found, result, 0, 2) == [
        "By the reliability check, it is well supported as a cause: P = 0.97."
    ]
    assert beside_support(None, result, 0, 2) == []
    assert beside_support(found, result, 0, 1) == []
    assert found.beside_support(1, 2, 500, odds=False) == sentences[:-1]


def test_silence_has_a_reason_and_no_table():
    found, result = judged("the rows have weights")
    assert headline(found, result) == "Nothing is claimed about causes, because the rows have weights."
    assert len(arrow_table(found, result)) == 0
    assert other_causes(found, result) == ""
    said = " ".join(beside_support(found, result, 0, 2))  # the panel claims a cause by the odds, with their condition
    assert said.startswith("The reliability check claims nothing about causes, because the rows have weights. The odds")


def test_a_pair_without_rows_is_said_to_be_unjudged():
    found, result = judged()
    found.cause[0, 2] = np.nan
    assert beside_support(found, result, 0, 2)[0].startswith("The reliability check did not judge this pair")


def test_checks_that_were_not_done_are_listed():
    unread = Assumptions((), unread="the rows have weights")
    assert gates(unread, ("a",)) == [
        "Whether the variables share hidden causes was not checked, because the rows have weights."
    ]
    assert gates(Assumptions(()), ("a",)) == ["No check found a violated assumption."]


def test_support_has_a_row_for_each_method_and_long_names_stay_distinct():
    found, _ = judged()
    names = ("x" * 80 + "1", "x" * 80 + "2", "c")
    share = np.arange(9.0).reshape(3, 3) / 10
    table = support_table(replace(found, names=names, support={"BOSS": Shares(share, share.T, share)}), 0, 1)
    assert len(set(table.columns)) == 6
    assert table.iloc[0].tolist() == ["BOSS", share[0, 1], share[1, 0], share[1, 0], share[0, 1], share[0, 1]]


def test_the_graph_by_verdict_is_as_faint_as_the_probabilities():
    found, result = judged()
    edges = {(one["a"], one["b"]): one for one in verdict_view(found, result, np.zeros((3, 2)))["edges"]}
    assert set(edges) == {(0, 2), (1, 2)}
    assert edges[0, 2]["opacity"] == 0.97
    assert "undecided" not in edges[0, 2]
    assert (edges[1, 2]["opacity"], edges[1, 2]["undecided"]) == (0.6, True)
    undirected = replace(result, graph=PDAG.from_edges(3, undirected=[(0, 2)]))
    (edge,) = verdict_view(found, undirected, np.zeros((3, 2)))["edges"]
    assert edge["opacity"] == 0.5
    assert edge["opacity_text"].startswith("adjacent with P")


@pytest.mark.parametrize("kind", ["continuous", "categorical", "mixed"])
def test_probabilities_on_simulated_tables_were_reliable(kind):
    """More than 93 % of the stored claims with P >= .9 were right (docs/guides/trust.md), and no bin is empty."""
    assert all(reliability(kind, share).when_sure > 0.93 for share in HIDDEN_SHARES)
    known = reliability(kind)
    where = np.searchsorted(BINS, known.claims.said, side="right")
    assert (np.diff(where) > 0).all()
    found = replace(judged()[0], kind=kind)
    assert f"{known.claims.n.sum():,} claims" in reliability_caption(known, found)
    assert "fitted to them" not in reliability_caption(known, found)
    assert "fitted to them" in reliability_caption(reliability(kind, 0.9), found.with_hidden_share(0.9))
    assert known.claims.said[-1] >= SURE


def test_a_pair_without_a_direction_names_its_function():
    """A sum has three columns, so that neither of a pair alone determines the other."""
    a, b = np.random.default_rng(0).standard_normal((2, 500))
    data = Dataset.from_values(np.column_stack([a, b, a + b]), ["a", "b", "c"])
    result = learn("hc", data)
    found = Trust(data.names, *np.full((3, 3, 3), 0.5), np.zeros((3, 3), dtype=bool), Assumptions(()))
    edges = verdict_view(found, result, np.random.default_rng(0).random((3, 2)))["edges"]
    determined = [edge["determined"] for edge in edges if "determined" in edge]
    assert determined
    assert all("'a'" in words and "'b'" in words and "'c'" in words for words in determined)
