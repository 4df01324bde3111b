"""Tests of the reasons of directions: a rejected v-structure may come from a hidden common cause."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import PAG, Dataset, explanation, learn
from learners.explaining.support import edge_counts, odds_of
from learners.families.latent.explaining import REASONS
from learners.graphs.rules import Rule


def test_v_structures_that_disagree_are_named_as_a_sign_of_a_hidden_cause():
    """A hidden cause of x and y makes a → x ← y and b → y ← x; one is rejected, and the caveat names that cause."""
    rng = np.random.default_rng(1)
    hidden, a, b = rng.standard_normal((3, 4_000))
    x, y = hidden + a + rng.standard_normal(4_000), hidden + b + rng.standard_normal(4_000)
    data = Dataset.from_values(np.column_stack([a, b, x, y]), ["a", "b", "x", "y"])
    result = learn("pc", data)
    said = explanation(result, ("x", "y"), data)
    assert any("was proposed but rejected" in one for one in said.sentences)
    caveats = [str(one.text(result.names)) for one in said.caveats]
    assert any("a hidden common cause. FCI allows for hidden causes" in one for one in caveats)
    assert not any("FCI allows" in one for one in explanation(result, ("a", "x"), data).sentences)
    assert learn("fci", data).graph.mark(2, 3) == "bidirected"


def test_each_edge_of_a_pag_counts_as_directed_bidirected_or_open():
    """Bidirected edges have no circle, so they do not count as open."""
    pag = PAG.from_ends(5, [(0, "->", 1), (1, "<->", 2), (2, "o->", 3), (3, "o-o", 4)])
    table = Dataset.from_values(np.random.default_rng(3).standard_normal((50, 5)), list("abcde"))
    assert edge_counts(learn("fci", table), pag) == (1, 1, 2)


@pytest.mark.parametrize("odds", [1.5, 19.0, 21.0, 7_740.0, 2e6])
@pytest.mark.parametrize("sign", [1, -1])
def test_strong_odds_name_their_condition(odds, sign):
    """Odds of more than 20 to 1 hold only under the model of the score; weaker ones are called weak."""
    text = odds_of(sign * math.log(odds), "BIC").text(())
    assert text.endswith("if the model of the score holds" if odds > 20 else "20 to 1 is strong")


def test_each_rule_of_a_pag_names_its_evidence():
    """The rules conclude from earlier marks or separating sets, which may be wrong, so each names them."""
    for rule, reason in REASONS.items():
        if rule not in (Rule.REQUIRED, Rule.FORBIDDEN):
            assert "earlier" in reason or "set" in reason
