"""Tests of questions about a run, checked by d-separation and by enumeration of DAGs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from learners import learn, sample
from learners.common.errors import ParameterError
from learners.families.constraint_based.pc import pc
from learners.graphs.graph import PDAG
from learners.independence.oracle import DSeparation
from learners.networks.network import GaussianNetwork
from learners.teaching.quiz.question import QuizQuestion, Topic, questions_to_review
from learners.teaching.quiz.quiz import questions
from tests import naive


def agrees(one: QuizQuestion, dag: np.ndarray, members: list[np.ndarray]) -> bool:
    """Return True if the answer is right for the DAG behind an oracle and for its whole class."""
    right = one.choices[one.answer]
    if one.topic is Topic.SEPARATED:
        if right is None:
            return naive.adjacent(dag, *one.about)
        return naive.d_separated(dag, *one.about, right)
    if one.topic is Topic.COLLIDER:
        i, k, j = one.about
        return right == all(member[i, k] and member[j, k] for member in members)
    if one.topic is Topic.DIRECTION:
        i, j = one.about
        ways = {(i, j) if member[i, j] else (j, i) for member in members}
        return {right} == (ways if len(ways) == 1 else {None})
    if one.topic is Topic.LEAVES:
        return not naive.adjacent(dag, *right)
    return one.topic is Topic.RANK


@pytest.mark.deep
@pytest.mark.compiled
def test_answers_agree_with_enumeration_on_1000_graphs():
    """Answers of the quiz on PC with an oracle hold for every DAG of the class."""
    rng = np.random.default_rng(0)
    seen = set()
    for seed in range(1000):
        dag = naive.random_dag(rng, int(rng.integers(3, 6)), 7)
        asked = questions(pc(DSeparation(PDAG(dag))), 6, seed)
        members = naive.dags_of_class(dag)
        assert all(agrees(one, dag, members) for one in asked), (dag, asked)
        seen |= {one.topic for one in asked}
    assert seen >= {Topic.LEAVES, Topic.SEPARATED, Topic.COLLIDER, Topic.DIRECTION}


@pytest.mark.compiled
def test_ends_of_edges_agree_with_the_causes_of_the_dag_with_hidden_variables():
    """Answers about edge ends of a PAG agree with the causes of the DAG, in which the middle of a fork is hidden."""
    dag = np.zeros((6, 6), dtype=bool)  # 0 -> 1 <- 4 -> 2 <- 3, 2 -> 5, where 4 is hidden
    dag[[0, 4, 4, 3, 2], [1, 1, 2, 2, 5]] = True
    seen = [0, 1, 2, 3, 5]
    rows = sample(GaussianNetwork(tuple("012345"), 1.0 * dag, np.ones(6), np.zeros(6)), 5_000, seed=1)
    result = learn("fci", rows.select(seen), alpha=0.001)
    reach = sum(np.linalg.matrix_power(dag.astype(int), k) for k in range(1, 6)) > 0
    marks = {}
    for one in questions(result, 20, 1):
        if one.topic is Topic.ENDS:
            i, j = (seen[k] for k in one.about)
            mark = marks[i, j] = one.choices[one.answer]
            assert mark != "forward" or reach[i, j]
            assert mark not in ("circle-forward", "bidirected", "forward") or not reach[j, i]
            assert mark not in ("circle-backward", "bidirected", "backward") or not reach[i, j]
    assert marks[1, 2] == "bidirected"
    assert marks[0, 1] == "circle-forward"
    assert marks[2, 5] == "forward"


def chain() -> tuple[QuizQuestion, ...]:
    """Return a quiz on a small graph with chains and a collider."""
    dag = PDAG.from_edges(6, directed=[(0, 1), (1, 2), (3, 2), (2, 4), (4, 5)])
    return questions(pc(DSeparation(dag)), 12, 3)


def test_never_easy_twice_nor_the_same_again():
    """No two consecutive questions have the most common answer; the same seed gives the same questions."""
    asked = chain()
    assert len(asked) >= 6
    assert not any(one.easy and after.easy for one, after in pairwise(asked))
    assert len({(one.topic, one.about, one.choices) for one in asked}) == len(asked)
    assert asked == chain()


def test_three_steps_to_look_at_again_are_wrong_ones_of_several_topics():
    """The three steps to review are questions that were answered wrongly, on different topics."""
    asked = chain()
    given = [one.answer if k == 0 else one.answer + 1 for k, one in enumerate(asked)]
    again = questions_to_review(asked, given)
    assert len(again) == 3
    assert asked[0] not in again
    assert len({one.topic for one in again}) == 3
    assert questions_to_review(asked, [one.answer for one in asked]) == []


@pytest.mark.parametrize("n", [-1, 1.5, "8", True], ids=repr)
def test_a_number_of_questions_must_be_a_count(n):
    result = pc(DSeparation(PDAG.from_edges(3, directed=[(0, 1), (1, 2)])))
    assert questions(result, 0) == ()
    with pytest.raises(ParameterError, match="n must be"):
        questions(result, n)
