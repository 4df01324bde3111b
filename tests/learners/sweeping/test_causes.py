"""Tests of the first cause of a difference between two runs, for each kind of cause."""

from __future__ import annotations

import math
import re
from itertools import permutations

import pytest

from learners import Knowledge, ParameterError, causes, learn, load_sample
from learners.graphs.rules import MOVES
from learners.sweeping import Cause
from learners.sweeping.links import SEPARATING
from learners.sweeping.reasons import difference

pytestmark = pytest.mark.compiled  # the runs have thousands of rows

ASIA = load_sample("asia").dataset


def test_a_p_between_two_levels_is_the_cause():
    before, after = (learn("pc", ASIA, alpha=alpha) for alpha in (1e-6, 0.2))
    ((pair, chain),) = ((pair, chain) for pair, chain in causes(before, after).items() if len(chain) == 1)
    (link,) = chain
    assert link.cause is Cause.LINE
    assert link.lines == (1e-6, 0.2)
    assert before.sepsets[frozenset(pair)] == link.before.cond
    assert 1e-6 < math.exp(link.before.log_p) <= 0.2


def test_an_arrow_that_follows_from_another_edge_leads_to_that_edge():
    before, after = (learn("pc", ASIA, alpha=alpha) for alpha in (1e-6, 0.2))
    (chain,) = (chain for chain in causes(before, after).values() if len(chain) == 2)
    assert [link.cause for link in chain] == [Cause.PREMISE, Cause.LINE]
    assert chain[0].on == chain[1].pair


def test_what_knowledge_forbids_is_the_cause():
    i, j = learn("pc", ASIA).graph.edges()[0]
    a, b = ASIA.names[i], ASIA.names[j]
    apart = Knowledge(forbidden=((a, b), (b, a)))
    actual = causes(learn("pc", ASIA), learn("pc", ASIA, knowledge=apart))
    assert [link.cause for link in actual[min(i, j), max(i, j)]] == [Cause.KNOWLEDGE]


def test_fewer_rows_give_other_numbers_and_leave_out_sets():
    """If an edge stays because a member of its separating set is no neighbour, the cause is the edge to that member."""
    before, after = learn("pc", ASIA), learn("pc", ASIA.take(range(0, ASIA.n_rows, 40)))
    chains = causes(before, after)
    assert chains
    for chain in chains.values():
        assert chain[-1].cause is Cause.NUMBER
        assert chain[-1].before.cond == chain[-1].after.cond
        assert chain[-1].before.log_p != chain[-1].after.log_p
    leading = [
        (link, last)
        for link, last in (chain for chain in chains.values() if len(chain) == 2)
        if link.cause is Cause.NOT_ASKED
    ]
    assert leading
    for link, last in leading:
        event = link.before or link.after
        (member,) = set(link.on) & set(event.cond)
        assert link.on == last.pair
        assert set(link.on) - {member} <= {event.i, event.j}


def test_searches_part_at_the_first_move_that_differs():
    before, after = (learn("ges", ASIA, score="bic", penalty=penalty) for penalty in (1.0, 20.0))
    actual = causes(before, after)
    lasts = [chain[-1] for chain in actual.values() if len(chain) > 1]
    assert lasts
    for link in lasts:
        assert link.cause is Cause.RUNS_PART
        t = next(
            t
            for t, (one, other) in enumerate(zip(before.trace, after.trace, strict=False))
            if (one.action, one.i, one.j, one.statistic) != (other.action, other.i, other.j, other.statistic)
        )
        assert repr(link.before) == repr(before.trace[t])
        assert repr(link.after) == repr(after.trace[t])


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize("pair", list(permutations(("pc", "boss", "lmm", "h2pc", "hc"), 2)), ids="-".join)
def test_causes_of_two_learners_rest_on_tests_of_both(pair):
    """A search that deletes an edge tests nothing, and the events of two learners are in no common order."""
    data = ASIA.take(range(0, ASIA.n_rows, 10))
    before, after = (learn(key, data) for key in pair)
    for chain in causes(before, after).values():
        assert chain
        for link in chain:
            assert link.cause not in (Cause.EVENTS, Cause.RUNS_PART)
            if link.cause is Cause.NOT_ASKED:
                other = before if link.before is None else after
                assert any(
                    event.rule not in MOVES and event.action in SEPARATING for event in other.trace.of_pair(*link.on)
                )


def test_runs_over_other_columns_are_refused():
    with pytest.raises(ParameterError, match="same variables"):
        causes(learn("pc", ASIA), learn("pc", ASIA.select(range(5))))


@pytest.mark.parametrize(
    ("before", "after"),
    [(("pc", {"alpha": 1e-6}), ("pc", {"alpha": 0.2})), (("lmm", {}), ("pc", {}))],
)
def test_a_difference_claims_no_independence_and_names_its_numbers(before, after):
    """A test that finds no dependence proves no independence; each number says what it is."""
    thin = ASIA.take(range(0, ASIA.n_rows, 20))
    runs = [learn(key, thin, **settings) for key, settings in (before, after)]
    found = [" ".join(difference(chain, *runs, ("A", "B")).written({})) for chain in causes(*runs).values()]
    assert found
    for text in found:
        assert "independent" not in text
        assert not re.search(r"\((the |[−\d])", text)  # a number without a name
