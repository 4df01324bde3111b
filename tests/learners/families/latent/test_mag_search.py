"""Tests of the search over MAGs: its fits, its moves and its results."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import (
    PAG,
    PDAG,
    DataError,
    Dataset,
    DegenerateBIC,
    GaussianBIC,
    Knowledge,
    LearnResult,
    ParameterError,
    boss,
    learn,
    load_sample,
    mag_from_dag,
    mag_search,
    pag_of_mag,
    random_gaussian_network,
    sample,
)
from learners.explaining.explanation import event_sentence, explanation
from learners.families.latent.mag_climber import GaussianColumns, MAGClimber
from learners.graphs.rules import Rule
from learners.kernels.latent.district_fit import fit_district
from learners.results.events import Action
from tests import naive_pag
from tests.learners.families.latent.test_fci import confounded


def deviance(cov: np.ndarray, parents: np.ndarray, spouses: np.ndarray) -> float:
    """Return the value of `fit_district`, computed by a general optimizer."""
    from scipy.optimize import minimize

    k = len(parents)
    arrows, pairs = np.argwhere(parents), [pair for pair in combinations(range(k), 2) if spouses[pair]]

    def value(values: np.ndarray) -> float:
        slopes, errors = np.zeros(parents.shape), np.diag(np.exp(values[:k]))
        slopes[tuple(arrows.T)] = values[k : k + len(arrows)]
        for pair, shared in zip(pairs, values[k + len(arrows) :], strict=True):
            errors[pair] = errors[pair[::-1]] = shared
        sign, log_det = np.linalg.slogdet(errors)
        if sign <= 0 or np.linalg.eigvalsh(errors)[0] <= 0:
            return 1e6
        residual = np.eye(*parents.shape) - slopes
        return log_det + np.trace(np.linalg.solve(errors, residual @ cov @ residual.T))

    start = np.zeros(k + len(arrows) + len(pairs))
    return min(minimize(value, start, method=method, options={"maxiter": 20_000}).fun for method in ("BFGS", "Powell"))


@pytest.mark.parametrize(
    ("edges", "district", "others"),
    [
        ([(0, "<->", 1)], [0, 1], []),
        ([(2, "->", 0), (3, "->", 1), (0, "<->", 1)], [0, 1], [2, 3]),
        ([(0, "<->", 1), (1, "<->", 2), (3, "->", 0), (4, "->", 2)], [0, 1, 2], [3, 4]),
        ([(0, "->", 2), (0, "<->", 1), (1, "<->", 2), (3, "->", 1)], [0, 1, 2], [3]),
        ([(1, "->", 0), (2, "->", 0)], [0], [1, 2]),
    ],
    ids=["pair", "instruments", "chain", "within", "regression"],
)
def test_a_district_is_fitted_by_maximum_likelihood(edges, district, others):
    """The fit of a district by RICF reaches the optimum of a general optimizer."""
    rng = np.random.default_rng(790_900)
    values = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5))
    nodes = [*district, *others]
    cov = np.ascontiguousarray(np.corrcoef(values.T)[np.ix_(nodes, nodes)])
    mag = PAG.from_ends(5, edges)
    parents = np.array([[mag.sign(i, k) == "->" for i in nodes] for k in district])
    spouses = np.array([[mag.sign(i, k) == "<->" for i in district] for k in district])
    assert fit_district(cov, parents, spouses) == pytest.approx(deviance(cov, parents, spouses), abs=2e-4)


def test_a_hidden_common_cause_replaces_wrong_arrows():
    """The arrows that BOSS draws among the neighbours of b and c are replaced by b <-> c in the MAG."""
    data = confounded(4_000, 1)
    dag = boss(GaussianBIC(data)).extra.dag
    found = mag_from_dag(data, dag)
    assert found.gain > 2.5  # gain in nats
    assert found.gain == pytest.approx(sum(move.gain for move in found.moves))
    assert pag_of_mag(found.mag) == PAG.from_ends(5, [(0, "o->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])


def test_without_hidden_causes_the_dag_stays():
    """No move improves the DAG from which the rows were drawn."""
    network = random_gaussian_network(8, 10, seed=3)
    data = sample(network, 5_000, seed=3)
    found = mag_from_dag(data, network.dag)
    assert found.mag == PAG.from_edges(8, directed=network.dag.directed_edges())
    assert (found.gain, found.moves) == (0, ())


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(6))
def test_every_mag_of_the_search_is_legal_and_gains_what_it_says(seed):
    """Each move changes BIC by its gain; the resulting MAG is maximal, so its PAG is that of its class."""
    rng = np.random.default_rng(791_000 + seed)
    p = 8
    weights = np.triu(rng.normal(size=(p + 3, p + 3)) * (rng.random((p + 3, p + 3)) < 0.35), 1)
    values = (rng.normal(size=(800, p + 3)) @ np.linalg.inv(np.eye(p + 3) - weights))[:, 3:]
    data = Dataset.from_values(values, [f"v{k}" for k in range(p)])
    dag = boss(GaussianBIC(data)).extra.dag
    columns = GaussianColumns(data.correlation, np.arange(p + 1), data.n)
    climber = MAGClimber(columns, dag, 0.5 * np.log(data.n), max_district=8)
    everything = set(range(p))
    before = climber._score(everything)
    while (move := climber.step()) is not None:
        climber.mag  # noqa: B018 - an illegal MAG raises an error
        after = climber._score(everything)
        assert before - after == pytest.approx(move.gain, abs=1e-6)
        before = after
    found = mag_from_dag(data, dag)
    assert naive_pag.is_maximal(found.mag, naive_pag.separations(found.mag))
    assert found.mag.is_mag


def test_the_order_of_the_columns_changes_nothing():
    """The order of the columns has no effect, because ties are broken by column name."""
    data = confounded(500, 4)
    dag = boss(GaussianBIC(data)).extra.dag
    order = [3, 1, 4, 0, 2]
    other = Dataset.from_values(data.values[:, order], [data.names[k] for k in order])
    one = mag_from_dag(data, dag).mag.marks
    assert np.array_equal(
        mag_from_dag(other, PDAG(dag.amat[np.ix_(order, order)])).mag.marks, one[np.ix_(order, order)]
    )


def test_a_cancelled_search_keeps_its_moves():
    """A cancelled search keeps its moves; the tick is called before the moves of each edge are tried."""
    data = confounded(4_000, 1)
    dag = boss(GaussianBIC(data)).extra.dag
    calls = iter(range(10))
    assert len(mag_from_dag(data, dag, tick=lambda *_: next(calls) < 6).moves) == 1  # one tick for each of 5 edges
    assert mag_from_dag(data, dag, tick=lambda *_: False).moves == ()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: mag_from_dag(load_sample("asia").dataset, PDAG.empty(8)),
            DataError,
            "a search over MAGs scores linear equations, so at least one column",
        ),
        (
            lambda: mag_from_dag(confounded(50, 1), PDAG.empty(4)),
            ParameterError,
            "the graph must be a DAG over",
        ),
        (
            lambda: mag_from_dag(confounded(50, 1), PDAG.complete(5)),
            ParameterError,
            "the graph must be a DAG over",
        ),
        (lambda: mag_from_dag(confounded(50, 1), PDAG.empty(5), penalty=0.0), ParameterError, "penalty must be in"),
    ],
    ids=["categories", "columns", "open edges", "penalty"],
)
def test_wrong_input_is_refused_with_a_sentence(call, error, message):
    """Categorical data, graphs that are not DAGs over the columns, and penalties out of range are refused."""
    with pytest.raises(error, match="^" + message):
        call()


# --- the learner -----------------------------------------------------------------------------------------------------


def small(seed: int, p: int = 8, hidden: int = 3, n: int = 800) -> Dataset:
    """Return rows of a random linear network with hidden variables."""
    rng = np.random.default_rng(seed)
    q = p + hidden
    weights = np.triu(rng.normal(size=(q, q)) * (rng.random((q, q)) < 0.35), 1)
    values = (rng.normal(size=(n, q)) @ np.linalg.inv(np.eye(q) - weights))[:, hidden:]
    return Dataset.from_values(values, [f"v{k}" for k in range(p)])


def check_run(result: LearnResult) -> None:
    """Check that each step is a legal graph, that scores follow from the gains, and that the last step is the PAG."""
    trace, extra = result.trace, result.extra
    for step in range(len(trace.changes) + 1):
        assert isinstance(trace.graph_at(step), PAG)  # illegal marks raise an error
    assert trace.graph_at(len(trace.changes)) == result.graph
    assert len(extra.scores) == len(trace.changes) + 1
    assert extra.scores[-1] == pytest.approx(result.score)
    assert extra.gain == pytest.approx(sum(move.gain for move in extra.moves))
    opened = [t for t, at in enumerate(trace.changes) if trace[int(at)].rule is Rule.EQUIVALENT]
    assert trace.graph_at(opened[0]) == extra.mag
    if not any(trace.made_by({Rule.REQUIRED, Rule.FORBIDDEN})):
        assert result.graph == pag_of_mag(extra.mag)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(8))
def test_a_run_shows_the_dag_its_moves_and_the_rules(seed):
    """The trace shows the DAG of BOSS, the moves of the search, the MAG before all ends are opened, and the rules."""
    data = small(791_100 + seed)
    result = learn("mag_search", data)
    check_run(result)
    bic = boss(GaussianBIC(data))
    found = mag_from_dag(data, bic.extra.dag)
    assert (result.extra.dag, result.extra.mag, result.extra.moves) == (bic.extra.dag, found.mag, found.moves)
    assert result.score == pytest.approx(bic.score + found.gain)
    assert [event.statistic for event in result.trace if event.rule in (Rule.MAG_REMOVAL, Rule.MAG_ENDS)] == [
        move.gain for move in found.moves
    ]
    assert all(event_sentence(result, event).text(result.names) for event in result.trace)


@pytest.mark.parametrize("seed", range(4))
def test_the_score_of_a_removal_is_that_of_the_family(seed):
    """In a DAG, the loss of removing an edge is the difference of the BIC of the family."""
    data = small(791_200 + seed)
    score = GaussianBIC(data)
    dag = boss(score).extra.dag
    columns = GaussianColumns(data.correlation, np.arange(data.p + 1), data.n)
    climber = MAGClimber(columns, dag, 0.5 * np.log(data.n), max_district=8)
    for x, y, loss in climber.losses():
        i, j = (x, y) if dag.amat[x, y] else (y, x)
        parents = dag.parents(j)
        assert loss == pytest.approx(score.local(j, parents) - score.local(j, [k for k in parents if k != i]), abs=1e-6)


def test_levels_are_scored_as_by_the_degenerate_gaussian():
    """Levels are scored as by the degenerate Gaussian: a variable with three levels has two columns."""
    rng = np.random.default_rng(791_300)
    a, c = rng.normal(size=(2, 600))
    b = np.digitize(a + rng.normal(size=600), [-0.7, 0.7])
    d = (b == 2) + c + rng.normal(size=600)
    frame = {"a": a, "b": [f"level {k}" for k in b], "c": c, "d": d}
    import pandas as pd

    data = Dataset.from_frame(pd.DataFrame(frame))
    assert data.kind == "mixed"
    score = DegenerateBIC(data)
    result = mag_search(data, score)
    check_run(result)
    dag = result.extra.dag
    for i, j in dag.directed_edges():
        parents = dag.parents(j)
        lost = score.local(j, parents) - score.local(j, [k for k in parents if k != i])
        if not result.extra.moves:
            assert result.strengths.values[i, j] == pytest.approx(lost, abs=1e-4)
    assert result.graph.skeleton[1, 3]


def test_knowledge_restricts_both_searches():
    """Required edges stay, forbidden pairs are not adjacent, and no edge points against a tier."""
    data = confounded(4_000, 1)
    known = Knowledge(required=[("a", "b")], forbidden=[("b", "e"), ("e", "b")], tiers={"d": 1, "c": 0})
    result = learn("mag_search", data, knowledge=known)
    check_run(result)
    assert result.graph.sign(0, 1) == "->"
    assert result.graph.mark(1, 4) == "none"
    assert result.graph.sign(3, 2) in ("<->", "<-", "<-o", "")
    assert "your background knowledge requires it" in " ".join(explanation(result, (0, 1)).sentences)


def test_a_pair_is_explained_by_its_moves():
    """The explanation names the move for a removed edge, the score for a kept one, and the first search for others."""
    result = learn("mag_search", confounded(4_000, 1))
    removed = [event for event in result.trace if event.rule is Rule.MAG_REMOVAL]
    assert removed
    sentences = explanation(result, (removed[0].i, removed[0].j)).sentences
    assert sentences[0].startswith("The search removed ")
    assert "score +" in sentences[0]
    text = " ".join(explanation(result, (1, 2)).sentences)
    assert "If the ends are right, neither causes the other: hidden variables connect them." in text
    assert "Without it the final score would be" in text
    assert "becomes a collider between" in " ".join(explanation(result, (0, 1)).sentences)
    assert "The circle at a: independences cannot show whether a causes b" in " ".join(
        explanation(result, (0, 1)).sentences
    )
    assert "has no edge between them" in explanation(result, (0, 3)).sentences[0]


def test_missing_cells_are_completed():
    """Missing cells are imputed, which changes the graph little; without completion the search asks for it."""
    data = confounded(4_000, 1)
    values = data.values.copy()
    values[np.random.default_rng(791_400).random(values.shape) < 0.02] = np.nan
    gaps = Dataset.from_values(values, data.names)
    result = learn("mag_search", gaps)
    check_run(result)
    assert result.graph == PAG.from_ends(5, [(0, "o->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])
    with pytest.raises(DataError, match="^a search over MAGs needs complete rows"):
        mag_from_dag(gaps, PDAG.empty(5))


def test_categorical_tables_are_refused_with_the_reason():
    """Categorical tables are refused, because only a Gaussian model is fitted."""
    with pytest.raises(DataError, match="^MAG search needs continuous or mixed columns, found categorical"):
        learn("mag_search", load_sample("asia").dataset)


def test_a_cancelled_run_has_circles_only():
    """The edges of a cancelled run have circles at all ends, because no end is marked before the search has ended."""
    data = confounded(400, 3)
    for last in (0, 3, 40):
        calls = iter(range(10_000))
        result = mag_search(data, GaussianBIC(data), tick=lambda *_: next(calls) < last)  # noqa: B023
        assert result.graph.n_circles == 2 * result.graph.n_edges or result.complete
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
        assert len(result.extra.scores) == len(result.trace.changes) + 1


@pytest.mark.deep
def test_limits_are_reported():
    """A small limit on moves or districts gives a warning."""
    data = next(one for one in map(small, range(791_500, 791_600)) if len(learn("mag_search", one).extra.moves) > 1)
    assert any("max_moves = 1" in one for one in learn("mag_search", data, max_moves=1).warnings)
    assert any(event.action == Action.BIDIRECT for event in learn("mag_search", data).trace)


@pytest.fixture(scope="module")
def clean_tables() -> list:
    """Return the arrows that are found in 20 tables without hidden variables, each with its table."""
    from benchmarks.latent_arrows import directed, table

    tables = [table("clean", seed) for seed in range(798_000, 798_020)]
    return [(directed(learn("mag_search", one.dataset).graph), one) for one in tables]


def false_share(clean_tables: list) -> float:
    """Return the share of arrows that are not causes."""
    return sum((graph & ~one.causes).sum() for graph, one in clean_tables) / sum(g.sum() for g, _ in clean_tables)


@pytest.mark.deep
def test_identified_arrows_are_found_where_nothing_is_hidden(clean_tables):
    """At least 95 % of the identified arrows are found; of 789 arrows of seeds 798000 to 798059, 1.3 % are false."""
    from benchmarks.latent_arrows import directed

    right = sum((graph & directed(one.truth)).sum() for graph, one in clean_tables)
    assert right >= 0.95 * sum(directed(one.truth).sum() for _, one in clean_tables)
    assert false_share(clean_tables) <= 0.015


@pytest.mark.deep
@pytest.mark.xfail(strict=True, reason="3 of 265 arrows are false, where BOSS itself draws false edges")
def test_at_most_one_arrow_in_a_hundred_is_false_where_nothing_is_hidden(clean_tables):
    """Without hidden variables, at most 1 % of the arrows are false."""
    assert false_share(clean_tables) <= 0.01
