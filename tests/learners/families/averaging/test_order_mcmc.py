"""Tests of order MCMC: its tables, moves, features and probabilities, against enumeration and exact sums."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from learners import (
    BDeu,
    BGe,
    Dataset,
    Knowledge,
    ParameterError,
    exact_posterior,
    learn,
    load_network,
    load_sample,
    order_mcmc,
)
from learners.evaluation.probable_graph import probable_graph
from learners.families.averaging.chains import Chains
from learners.families.averaging.dag_sampling import order_posterior
from learners.families.averaging.parent_weights import dags_of, spread, weighed
from learners.graphs.cpdag import cpdag
from learners.graphs.equivalence_class import direction_shares
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge
from learners.kernels.averaging import order_chain as moves
from learners.kernels.averaging import partition_chain
from learners.kernels.averaging.chain_sampling import ChainRecords, record_state
from learners.kernels.averaging.order_chain import Chain
from learners.results.events import Action
from learners.scores.categorical_families import merged_rows
from tests import naive_order_mcmc as naive
from tests.learners.families.averaging.test_best_classes import data_of

NEVER = np.zeros(1, dtype=np.int8)


def everyone(p: int) -> np.ndarray:
    return np.array([[i for i in range(p) if i != j] for j in range(p)])


def model_of(score: BDeu, most: int | None = None):
    p = score.p
    return weighed(score, everyone(p), np.full(p, most or p - 1), BoundKnowledge.none(p), 1, lambda *_: True)


def chain_of(p: int) -> Chain:
    zeros = np.zeros(p, dtype=np.int64)
    return Chain(zeros, zeros.copy(), zeros.copy(), np.zeros(p))


def orders_of(p: int):
    return list(permutations(range(p)))


def partitions_of(p: int):
    """Return all ordered partitions of p nodes, each as the part number of every node, without gaps."""
    return [one for one in product(range(p), repeat=p) if set(one) == set(range(max(one) + 1))]


def begun(model, state, prior: str) -> Chain:
    chain = chain_of(len(state))
    chain.order[:] = state
    if prior == "orders":
        moves.start_order(model.table, model.flag, chain)
    else:
        partition_chain.start_partition(model.table, model.flag, model.candidates, chain)
    return chain


def members(state, prior: str, dags):
    """Return the DAGs that are represented by an order or a partition."""
    return [dag for dag in dags if (naive.agrees(dag, state) if prior == "orders" else naive.parts_of(dag) == state)]


@pytest.mark.parametrize("most", [1, 2, 4])
def test_order_score_equals_the_reference(most):
    """The score of an order equals that of the reference implementation, a sum over all possible parent sets."""
    score = BDeu(data_of(5, 70, 2))
    model = model_of(score, most)

    def local(j, parents):
        return score.local(j, parents) if len(parents) <= most else -np.inf

    for order in orders_of(5)[::7]:
        chain = begun(model, order, "orders")
        assert chain.value.sum() == pytest.approx(naive.order_score(local, order))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("prior", ["orders", "dags"])
def test_what_a_state_says_is_the_average_over_its_dags(prior):
    """Edges, blankets and weights of each order or partition of four variables are averages over its DAGs."""
    score = BDeu(data_of(4, 60, 3))
    model, dags = model_of(score), naive.all_dags(4)
    for state in orders_of(4) if prior == "orders" else partitions_of(4):
        own = members(state, prior, dags)
        weights = [score.network(PDAG(dag)) for dag in own]
        chain = begun(model, state, prior)
        assert chain.value.sum() == pytest.approx(naive.log_sum(weights))
        batch = ChainRecords(np.zeros((4, 3)), np.zeros((4, 3)), np.zeros((4, 4)), np.zeros((1, 4), dtype=np.int64))
        record_state(model, chain, batch, np.full(4, 0.5), batch.drawn[0], np.zeros((4, 4)))
        expected = naive.averages(own, weights)
        np.testing.assert_allclose(spread(model, batch.shares), expected["directed"], atol=1e-9)
        np.testing.assert_allclose(spread(model, batch.squares), expected["directed"] ** 2, atol=1e-9)
        np.testing.assert_allclose(batch.blanket, expected["blanket"], atol=1e-9)
        assert any(np.array_equal(dags_of(model, batch.drawn)[0], dag) for dag in own)


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("prior", ["orders", "dags"])
def test_moves_keep_detailed_balance(prior):
    """For four variables, flows between two states are equal in both directions, and every state can be reached."""
    score = BDeu(data_of(4, 25, 1))
    model = model_of(score)
    states = orders_of(4) if prior == "orders" else partitions_of(4)
    number = {state: t for t, state in enumerate(states)}
    weight = np.array([begun(model, state, prior).value.sum() for state in states])
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    rng, n = np.random.default_rng(0), 4_000
    went = np.zeros((len(states), len(states)))
    for state in states:
        chain = begun(model, state, prior)
        for uniforms in rng.random((n, 1, 4)):
            one = Chain(*(array.copy() for array in chain))
            if prior == "orders":
                moves.move_orders(model.table, model.flag, uniforms, one, NEVER)
            else:
                partition_chain.move_partitions(model.table, model.flag, model.candidates, uniforms, one, NEVER)
            went[number[state], number[tuple(one.order.tolist())]] += 1.0 / n
    flow = weight[:, None] * went
    variance = weight[:, None] ** 2 * (went + 4.0 / n) / n
    error = np.sqrt(variance + variance.T)
    off = ~np.eye(len(states), dtype=bool)
    assert (np.abs(flow - flow.T)[off] <= 5.0 * error[off]).all()
    assert (np.linalg.matrix_power(went, 64) > 0.0).all()


@pytest.mark.compiled
@pytest.mark.parametrize("prior", ["orders", "dags"])
def test_state_is_kept_up_to_date(prior):
    """After many moves, masks and values equal those of a chain started at the same state."""
    score = BDeu(data_of(6, 90, 5))
    model = model_of(score, 2)
    chain = begun(model, tuple(range(6)), "orders") if prior == "orders" else begun(model, (0,) * 6, prior)
    uniforms = np.random.default_rng(1).random((3_000, 4))
    if prior == "orders":
        moves.move_orders(model.table, model.flag, uniforms, chain, NEVER)
    else:
        partition_chain.move_partitions(model.table, model.flag, model.candidates, uniforms, chain, NEVER)
    again = begun(model, chain.order.copy(), prior)
    np.testing.assert_array_equal(chain.before, again.before)
    np.testing.assert_array_equal(chain.needed, again.needed)
    np.testing.assert_allclose(chain.value, again.value)


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize(("p", "seed"), [(4, 0), (6, 1), (8, 2)])
def test_chains_that_agree_are_right(p, seed):
    """Converged chains give edge probabilities within 0.02 of the sums over all orders."""
    data = data_of(p, 200, seed)
    result = order_mcmc(data, BDeu(data), run_on=8, seed=seed)
    assert result.extra.converged
    exact = order_posterior(BDeu(data), max_parents=4).directed
    np.testing.assert_allclose(result.posterior.directed, exact, atol=0.02)
    np.testing.assert_allclose(result.posterior.adjacent, exact + exact.T, atol=0.02)


@pytest.mark.compiled
@pytest.mark.parametrize("prior", ["orders", "dags"])
def test_how_many_records_are_made_at_once_changes_nothing(prior, monkeypatch):
    """Records made one at a time, in batches with a remainder, or all at once give the same probabilities."""
    data = data_of(5, 100, seed=3)
    calls = []
    for work in (
        1,
        7 * 5 * (2 + 16),
        1 << 30,
    ):  # 1, 7 and 100 records per batch, with two moves each, for five variables with four candidates
        monkeypatch.setattr("learners.families.averaging.chains.WORK", work)
        calls.append(order_mcmc(data, BDeu(data), prior=prior, steps=2_000, run_on=0, seed=1).posterior)
    for other in calls[1:]:
        for what in ("directed", "adjacent", "blanket"):
            np.testing.assert_array_equal(getattr(other, what), getattr(calls[0], what))


def test_partitions_weigh_every_dag_alike():
    """With a prior on DAGs, probabilities equal those over all 543 DAGs of four variables; with one on orders, not."""
    data = data_of(4, 40, 2)
    score, dags = BDeu(data), naive.all_dags(4)
    expected = naive.averages(dags, [score.network(PDAG(dag)) for dag in dags])
    result = order_mcmc(data, score, prior="dags", run_on=8)
    assert result.extra.converged
    np.testing.assert_allclose(result.posterior.directed, expected["directed"], atol=0.02)
    np.testing.assert_allclose(result.posterior.blanket, expected["blanket"], atol=0.02)
    by_orders = order_mcmc(data, score, run_on=8).posterior.directed
    assert np.abs(by_orders - expected["directed"]).max() > 0.03


@pytest.mark.deep
@pytest.mark.compiled
def test_chains_that_do_not_agree_are_said_not_to():
    """Chains that have not converged give a warning that recommends more steps."""
    data = data_of(8, 60, 4)
    short = order_mcmc(data, BDeu(data), steps=500, run_on=0)
    assert not short.extra.converged
    assert "have not converged" in short.warnings[0]
    assert "steps" in short.warnings[0]
    assert short.extra.agreement.difference > 0.02
    longer = order_mcmc(data, BDeu(data), steps=500, run_on=5)
    assert longer.extra.moves > short.extra.moves


def test_a_chain_of_partitions_begins_where_its_order_does():
    """A chain of partitions starts at the partition of a DAG that agrees with the given order."""
    score = BDeu(data_of(5, 60, 0))
    model = model_of(score)
    work = Chains(model, [np.array([3, 1, 0, 4, 2]), np.array([0, 1, 2, 3, 4])], "dags", 0)
    for chain in work.chains:
        assert np.isfinite(chain.value).all()
        assert set(chain.order.tolist()) == set(range(int(chain.order.max()) + 1))


@pytest.mark.compiled
def test_knowledge_is_certain():
    """A required edge has probability 1 and an edge excluded by tiers 0, for chains and for exact sums."""
    data = data_of(5, 80, 3)
    a, b, c, d, _ = data.names
    known = Knowledge(required=((b, a),), forbidden=((c, d), (d, c)), tiers={a: 2, d: 1})
    for key in ("order_mcmc", "exact_posterior"):
        posterior = learn(key, data, knowledge=known).posterior
        assert posterior.directed[1, 0] == pytest.approx(1.0)
        assert posterior.adjacent[2, 3] == 0.0
        assert posterior.directed[0, 3] == 0.0


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("edge_penalty", [0.0, 1.5])
def test_sums_are_exact(edge_penalty):
    """The sums weight each DAG by its number of orders and its edge penalty; blankets come from sampled orders."""
    data = data_of(4, 60, 3)
    score, dags = BDeu(data), naive.all_dags(4)
    weights = [
        score.network(PDAG(dag)) - edge_penalty * dag.sum() + np.log(sum(naive.agrees(dag, o) for o in orders_of(4)))
        for dag in dags
    ]
    expected = naive.averages(dags, weights)
    result = exact_posterior(BDeu(data, edge_penalty=edge_penalty))
    np.testing.assert_allclose(result.posterior.directed, expected["directed"], atol=1e-9)
    np.testing.assert_allclose(result.posterior.blanket, expected["blanket"], atol=0.03)
    arrows = [cpdag(PDAG(dag)).amat & ~cpdag(PDAG(dag)).amat.T for dag in dags]
    weight = np.exp(np.array(weights) - max(weights))
    compelled = sum(w * one for w, one in zip(weight / weight.sum(), arrows, strict=True))
    np.testing.assert_allclose(result.posterior.compelled, compelled, atol=0.05)
    assert result.strengths.limits is None


@pytest.mark.compiled
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_merged_rows_are_those_of_all_rows(weighted):
    """Probabilities are the same as without merging equal rows, also with row weights."""
    data = data_of(5, 3_000, 4)
    if weighted:
        data = data.with_weights(np.arange(data.n) % 3 + 1)
    score = BDeu(data)
    merged = merged_rows(score.sample)
    assert merged.codes.shape[1] <= np.prod(data.arity) < data.n / 2
    total = score.sample.weights.sum() if weighted else data.n
    assert merged.weights.sum() == total
    found = exact_posterior(score).posterior
    np.testing.assert_allclose(found.directed, order_posterior(score).directed, rtol=0.0, atol=1e-9)


def test_sets_with_more_configurations_than_rows_have_no_weight():
    """Sets with more configurations than rows have no weight; each other set has the score of its family."""
    data = data_of(5, 9, 1)
    score = BDeu(data)
    model = model_of(score)
    for j, others in enumerate(everyone(5)):
        for mask in range(16):
            parents = [int(others[b]) for b in range(4) if mask >> b & 1]
            fits = np.prod(data.arity[parents]) <= data.n
            at = np.flatnonzero(model.ranked[j, : model.n_ranked[j]] == mask)
            assert len(at) == fits
            assert model.scores[j, at] == pytest.approx(score.local(j, parents), rel=1e-12)
    assert (model.n_ranked < 16).any()


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("key", ["order_mcmc", "exact_posterior"])
def test_arrows_are_those_that_the_classes_compel(key):
    """With 5 000 rows of child the graph is the true class, although orders favour directions that no data support."""
    result = learn(key, load_sample("child").dataset)
    assert result.graph == cpdag(load_network("child").dag)
    joined = result.graph.skeleton & result.graph.skeleton.T
    open_edges = result.graph.amat & result.graph.amat.T
    assert (result.posterior.directed[open_edges] >= 0.9).any()
    assert (result.posterior.compelled[joined & ~open_edges & result.graph.amat] > 0.9).all()
    assert (result.posterior.compelled[open_edges] < 0.5).all()
    arrows = [e for e in result.trace if e.action is Action.ORIENT]
    assert {(e.i, e.j) for e in arrows} == set(result.graph.directed_edges())
    for e in arrows:
        share = result.posterior.compelled[e.i, e.j] / result.posterior.adjacent[e.i, e.j]
        assert e.statistic == pytest.approx(share)


@pytest.mark.compiled
@pytest.mark.parametrize("settings", [{}, {"prior": "classes"}], ids=["orders", "classes"])
def test_what_is_known_is_compelled(settings):
    """A required arrow also compels the rest of its chain, which has no v-structure."""
    rng = np.random.default_rng(5)
    codes = [rng.integers(0, 2, 400)]
    codes += [(codes[0] + (rng.random(400) < 0.1)) % 2]
    codes += [(codes[1] + (rng.random(400) < 0.1)) % 2]
    data = Dataset.from_codes(codes, [2, 2, 2], ["a", "b", "c"])
    free = learn("order_mcmc", data, **settings)
    assert free.graph == PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])
    known = learn("order_mcmc", data, knowledge=Knowledge(required=(("a", "b"),)), **settings)
    assert known.graph == PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    assert known.posterior.compelled[1, 2] > 0.5 > free.posterior.compelled[1, 2]


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["levels", "numbers"])
@pytest.mark.parametrize("key", ["order_mcmc", "exact_posterior"])
def test_by_default_graphs_with_fewer_edges_are_likelier_beforehand(key, kind):
    """By default BDeu (ess 5) has the edge penalty ln p, and BGe half of it; the value 0 turns the penalty off."""
    data = data_of(5, 80, 3)
    if kind == "numbers":
        values = np.random.default_rng(4).normal(size=(40, 5)).cumsum(axis=1)
        data = Dataset.from_values(values, data.names)
        scores = [({}, BGe(data, edge_penalty=0.5 * np.log(5))), ({"edge_penalty": 0.0}, BGe(data))]
    else:
        scores = [
            ({}, BDeu(data, ess=5.0, edge_penalty=np.log(5))),
            ({"ess": 1.0, "edge_penalty": 0.0}, BDeu(data, ess=1.0)),
        ]
    for settings, score in scores:
        expected = order_mcmc(data, score) if key == "order_mcmc" else exact_posterior(score)
        np.testing.assert_array_equal(learn(key, data, **settings).posterior.directed, expected.posterior.directed)


@pytest.mark.parametrize(("n", "required"), [(10, []), (5, [0, 1])], ids=["free", "required"])
def test_parents_of_more_configurations_than_rows_do_not_count(n, required):
    """Parent sets with more configurations than rows are excluded, unless required parents raise this limit."""
    data = data_of(4, n, 5)
    names, dags, weights = data.names, [], []
    score, known = BDeu(data, ess=2.0), Knowledge(required=tuple((names[i], names[3]) for i in required))
    most = [n, n, n, max(n, data.arity[required].prod())]
    asked = [dag for dag in naive.all_dags(4) if dag[required, 3].all()]
    for dag in asked:
        if all(data.arity[dag[:, j]].prod() <= most[j] for j in range(4)):
            dags.append(dag)
            weights.append(score.network(PDAG(dag)) + np.log(sum(naive.agrees(dag, o) for o in orders_of(4))))
    assert len(dags) < len(asked)
    found = exact_posterior(score, knowledge=known).posterior
    np.testing.assert_allclose(found.directed, naive.averages(dags, weights)["directed"], atol=1e-9)


@pytest.mark.compiled
def test_independent_columns_rarely_have_probable_edges():
    """Edges between ten independent columns of eight levels and 60 rows are improbable."""
    for seed in range(8_601, 8_604):
        codes = np.random.default_rng(seed).integers(0, 8, (10, 60))
        data = Dataset.from_codes(list(codes), [8] * 10, [f"v{k}" for k in range(10)])
        for settings in ({}, {"ess": 1.0, "edge_penalty": 0.0}):
            assert learn("exact_posterior", data, **settings).posterior.adjacent.sum() < 0.1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chains": 1}, "chains"),
        ({"steps": 0}, "steps"),
        ({"prior": "graphs"}, "prior"),
        ({"n_candidates": 0}, "n_can"),
    ],
    ids=["chains", "steps", "prior", "n_candidates"],
)
def test_values_out_of_range_are_refused(settings, message):
    data = data_of(3, 40, 0)
    with pytest.raises(ParameterError, match=message):
        order_mcmc(data, BDeu(data), **settings)


def test_too_many_required_parents_are_refused():
    """Too many required parents raise an error that names the variable."""
    data: Dataset = data_of(4, 40, 0)
    a, b, c, _ = data.names
    with pytest.raises(ParameterError, match="required"):
        learn("exact_posterior", data, max_parents=1, knowledge=Knowledge(required=((a, c), (b, c))))


@pytest.mark.compiled
def test_every_class_as_likely_beforehand():
    """With the prior on classes, the weight of a class depends on its score and not on its number of DAGs."""
    data = data_of(4, 25, 1)
    score = BDeu(data)
    classes = {cpdag(PDAG(dag)): score.network(PDAG(dag)) for dag in naive.all_dags(4)}
    weight = np.exp(np.array(list(classes.values())) - max(classes.values()))
    expected = sum(w * direction_shares(graph) for w, graph in zip(weight, classes, strict=True)) / weight.sum()
    every = {prior: order_mcmc(data, BDeu(data), prior=prior, max_parents=3) for prior in ("dags", "classes")}
    found = every["classes"]
    np.testing.assert_allclose(found.posterior.directed, expected, atol=0.05)
    assert np.abs(every["dags"].posterior.directed - expected).max() > 0.05
    assert found.extra.n_draws < every["dags"].extra.n_draws
    assert found.graph == probable_graph(found.posterior)
