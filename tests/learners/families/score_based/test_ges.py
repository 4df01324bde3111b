"""Tests of GES: known populations, a brute-force reference implementation, and the invariants of each operator."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import (
    BIC,
    PDAG,
    BDeu,
    Dataset,
    GaussianBIC,
    Knowledge,
    ParameterError,
    consistent_extension,
    cpdag,
    ges,
    hc,
    load_sample,
)
from learners.common.parallel import Crew
from learners.common.progress import silent
from learners.graphs.rules import Rule
from learners.kernels.search import ges as ges_kernels
from learners.kernels.search import ges_state
from learners.kernels.search.ges_state import DELETE, INSERT, TURN
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.results.events import Action
from learners.results.phases import Stage
from learners.scores.score import FamilyScore
from learners.search import ges_search
from learners.search.ges_search import ClassClimber, equivalence_search
from tests import naive, naive_classes, naive_scores, populations

SCORES = ("bic", "bdeu", "gaussian")
STEPS = {Rule.INSERT, Rule.DELETE, Rule.TURN}


def small_data(kind: str, p: int, seed: int):
    """Return a score, and the same score by a reference implementation, on rows of a random network."""
    rng = np.random.default_rng(seed)
    dag = naive.random_dag(rng, p, 2 * p)
    weights = dag * rng.normal(size=(p, p))
    values = rng.normal(size=(120, p)) @ np.linalg.inv(np.eye(p) - weights)
    names = [f"v{k}" for k in range(p)]
    if kind == "gaussian":
        penalty = 0.5 * np.log(len(values))
        score = GaussianBIC(Dataset.from_values(values, names))
        return score, lambda j, parents: naive_scores.gaussian_score(values, j, parents, penalty)
    arity = 2 + np.arange(p) % 2
    # Columns have different cut points, since equal tables would have equal scores.
    cuts = [np.quantile(values[:, k], (np.arange(1, r) + 0.03 * k) / (r + 0.3)) for k, r in enumerate(arity)]
    codes = np.array([np.digitize(values[:, k], cut) for k, cut in enumerate(cuts)])
    data, ones = Dataset.from_codes(codes, arity, names), np.ones(codes.shape[1], dtype=int)
    options = {"ess": 2.0} if kind == "bdeu" else {"penalty": 0.5 * np.log(codes.shape[1])}
    score = BDeu(data, ess=2.0) if kind == "bdeu" else BIC(data)
    return score, lambda j, parents: naive_scores.discrete_score(codes, arity, ones, j, parents, **options)


def graphs_of(found) -> list[np.ndarray]:
    """Return the class after each step, computed only from the recorded steps."""
    amat, graphs = np.array(found.start.amat), []
    for step in found.operators:
        amat[step.x, step.y] = step.mark in ("forward", "undirected")
        amat[step.y, step.x] = step.mark == "undirected"
        for i, j, is_open in step.marks.tolist():
            amat[i, j], amat[j, i] = True, bool(is_open)
        graphs.append(amat.copy())
    return graphs


# --- the truth ------------------------------------------------------------------------------------------------------


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("seed", range(150))
def test_ges_finds_the_true_class_of_a_gaussian_population(seed):
    """GES finds the true class, which scores best, of DAGs with up to nine variables and a dozen strong edges."""
    rng = np.random.default_rng(seed)
    dag = naive.random_dag(rng, 3 + seed % 7, 12)
    assert ges(populations.gaussian_score(dag, rng)).graph == cpdag(PDAG(dag))


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("score", [BIC, BDeu])
def test_ges_finds_the_true_class_of_a_binary_population(score, seed):
    """GES finds the true class if the weighted rows are the exact joint distribution."""
    rng = np.random.default_rng(seed)
    dag = naive.random_dag(rng, 3 + seed % 3, 6)
    assert ges(score(populations.binary_rows(dag, rng))).graph == cpdag(PDAG(dag))


# --- the reference implementation -------------------------------------------------------------------------------------


def check_against_reference(score, local, p, **rules):
    """Check that classes and gains equal those of the reference implementation, step by step."""
    found = equivalence_search(
        score, **{k: rules[k] for k in ("start", "allowed", "beside", "turning", "knowledge") if k in rules}
    )
    options = {k: rules[k] for k in ("allowed", "beside", "turning") if k in rules}
    if "start" in rules:
        options["start"] = rules["start"].amat
    if "knowledge" in rules:
        options |= {"required": rules["knowledge"].required, "excluded": rules["knowledge"].excluded}
    graph, made = naive_classes.greedy_classes(local, p, **options)
    assert [step.op for step in found.operators] == [step for step, *_ in made]
    # Turns of several edges may lead to the same class.
    pairs = [({s.x, s.y}, set(pair)) for s, (_, pair, *_) in zip(found.operators, made, strict=True) if s.op != "turn"]
    assert [ours for ours, _ in pairs] == [theirs for _, theirs in pairs]
    assert [s.gain for s in found.operators] == pytest.approx([gain for *_, gain, _ in made], abs=1e-6)
    for ours, (*_, theirs) in zip(graphs_of(found), made, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(found.graph.amat, graph)
    assert cpdag(found.dag) == found.graph
    return found


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", SCORES)
def test_each_step_is_the_best_of_all_neighbouring_classes(kind, seed):
    """No insertion into, or deletion from, any DAG of the class leads to a better class."""
    score, local = small_data(kind, 4 + seed % 2, seed)
    check_against_reference(score, local, score.p)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", SCORES)
def test_search_from_a_given_class_is_that_of_the_reference(kind, seed):
    """From a wrong start, which needs many deletions, each step equals that of the reference."""
    score, local = small_data(kind, 4 + seed % 2, seed)
    start = PDAG(naive.random_dag(np.random.default_rng(seed), score.p, 10))
    found = check_against_reference(score, local, score.p, start=start)
    assert found.start == cpdag(start)
    assert found.score >= found.start_score - 1e-9 * abs(found.start_score)


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("beside", ["nothing", "colliders", "triples"])
def test_restricted_search_is_that_of_the_reference(beside, seed):
    """Each step equals the reference's; a pair that is not allowed becomes adjacent only to shield a triple."""
    score, local = small_data(SCORES[seed % 3], 5, seed)
    allowed = naive_classes.random_symmetric(np.random.default_rng(seed), 5, 0.5)
    check_against_reference(score, local, 5, allowed=allowed, beside=beside)


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("seed", range(24))
def test_search_with_knowledge_is_that_of_the_reference(seed):
    """Each class has a DAG with all required edges and without forbidden edges or edges against the tiers."""
    score, local = small_data(SCORES[seed % 3], 4 + seed % 2, seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(score.p)
    edges = [(score.names[order[a]], score.names[order[b]]) for a, b in combinations(range(score.p), 2)]
    chosen = rng.permutation(len(edges))[:3]
    known = Knowledge(
        required=(edges[chosen[0]],) if seed % 2 else (),
        forbidden=(edges[chosen[1]], edges[chosen[2]][::-1]),
        tiers={} if seed % 3 else {score.names[k]: int(place > 1) for place, k in enumerate(order)},
    )
    found = check_against_reference(score, local, score.p, knowledge=known.bind(score.names))
    bound = known.bind(score.names)
    assert not (bound.required & ~found.dag.amat).any()
    assert not (bound.excluded & found.dag.amat).any()
    graph = ges(score, knowledge=known).graph
    assert not (graph.amat & ~graph.amat.T & bound.excluded).any()
    assert not (bound.required & ~(graph.amat & ~graph.amat.T)).any()


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("case", ["plain", "start", "restricted", "knowledge"])
def test_turns_are_those_of_the_reference(case, seed):
    """No reversal of an edge in any DAG of the class leads to a better class; nor does any other step at the end."""
    score, local = small_data(SCORES[seed % 3], 4 + seed % 2, seed)
    rng, p = np.random.default_rng(seed), score.p
    wrong = PDAG(naive.random_dag(rng, p, 10))
    rules = {
        "plain": {},
        "start": {"start": wrong},
        "restricted": {"allowed": np.zeros((p, p), dtype=bool), "start": wrong},  # nearly all possible steps are turns
        "knowledge": {"knowledge": Knowledge(forbidden=tuple(combinations(score.names[:3], 2))).bind(score.names)},
    }[case]
    check_against_reference(score, local, p, turning=True, **rules)


@pytest.mark.compiled
def test_turns_are_made_and_recorded():
    """From wrong graphs in which only turns gain, each turn is recorded with its gain in a separate phase."""
    turned = 0
    for seed in range(12):
        score, _ = small_data("gaussian", 20, seed)
        start = PDAG(naive.random_dag(np.random.default_rng(seed), 20, 80))
        fixed = {"start": start, "allowed": np.zeros((20, 20), dtype=bool)}
        result, without = ges(score, **fixed), ges(score, **fixed, turning=False)
        events = [event for event in result.trace if event.rule is Rule.TURN]
        turned += len(events)
        assert {event.phase.stage for event in events} <= {Stage.TURNS}
        assert {event.action for event in events} <= {Action.ORIENT, Action.UNORIENT}
        assert all(event.statistic > 0 for event in events)
        assert result.score >= without.score - 1e-9 * abs(without.score)
        assert (result.score > without.score + 1e-6) == (result.graph != without.graph)
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
        assert not any(event.rule is Rule.TURN for event in without.trace)
    assert turned > 5


def test_turns_end_where_cells_are_missing():
    """Turns end with missing values, although gains around a cycle of classes can all be positive there."""
    for seed in range(6):
        values = np.random.default_rng(seed).normal(size=(60, 6)) @ np.random.default_rng(seed + 50).normal(size=(6, 6))
        values[np.random.default_rng(seed + 100).random(values.shape) < 0.3] = np.nan
        result = ges(GaussianBIC(Dataset.from_values(values, list("abcdef")), penalty=0.05))
        assert result.complete
        assert cpdag(result.extra.dag) == result.graph


# --- invariants -------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(SCORES), p=st.integers(2, 8))
@settings(max_examples=40, deadline=None)
def test_gain_of_each_step_is_the_difference_of_the_scores(seed, kind, p):
    """The gain of each step is the difference of the scores of consistent extensions; all classes are CPDAGs."""
    score, _ = small_data(kind, p, seed)
    found = equivalence_search(score, turning=True)
    before = found.start
    for step, amat in zip(found.operators, graphs_of(found), strict=True):
        after = PDAG(amat)
        dag, extended = consistent_extension(before).dag, consistent_extension(after)
        assert extended.valid
        assert cpdag(extended.dag) == after
        assert step.gain > 0
        assert score.network(extended.dag) - score.network(dag) == pytest.approx(step.gain, abs=1e-6)
        before = after
    assert before == found.graph
    assert found.score == pytest.approx(score.network(found.dag))


@pytest.mark.compiled
@pytest.mark.parametrize("beside", ["nothing", "triples"])
def test_rows_that_are_skipped_hold_no_better_operator(monkeypatch, beside):
    """The best operator is the same if no row is skipped, and every row with a stale ceiling is refreshed."""
    refresh, best, skipped = ges_kernels.refresh_ceilings, ges_kernels.best_operator, []

    def checked_refresh(sample, cache, rules, state, *others):
        assert not (state.stale.any(axis=1) & ~state.stale_rows).any()
        return refresh(sample, cache, rules, state, *others)

    def checked_best(sample, cache, rules, state, *others):
        assert not (state.lowered.any(axis=1) & ~state.lowered_rows).any()
        assert (state.top >= state.ceiling.max(axis=1)).all()
        changed = {name: getattr(state, name).copy() for name in ("ceiling", "lowered", "lowered_rows")}
        unskipped = state._replace(top=np.full(len(state.top), np.inf), **changed)
        (*expected, nodes), row = best(sample, cache, rules, unskipped, *others)
        (*found, own_nodes), own_row = best(sample, cache, rules, state, *others)
        assert (found, own_nodes.tolist(), own_row) == (expected, nodes.tolist(), row)
        assert np.array_equal(state.ceiling, unskipped.ceiling)
        skipped.append((state.top < found[0]).sum())
        return (*found, own_nodes), own_row

    monkeypatch.setattr(ges_kernels, "refresh_ceilings", checked_refresh)
    monkeypatch.setattr(ges_kernels, "best_operator", checked_best)
    p = 30
    score = GaussianBIC(sample(random_gaussian_network(p, 150, 1), 150, 1))
    allowed = hc(score).graph.skeleton if beside == "triples" else None
    found = equivalence_search(score, beside=beside, allowed=allowed, turning=True)
    assert {step.op for step in found.operators} == {"insert", "delete", "turn"}
    assert max(skipped) > p / 2


@pytest.mark.compiled
def test_ceilings_that_are_not_stale_equal_new_ones(monkeypatch):
    """Before every step, each ceiling is the one that a search would compute from nothing, unless a path lowered it."""
    best, kept = ges_kernels.best_operator, []

    def checked_best(families, _cache, rules, state, op, *others):
        score.make_room(score.p**2)  # for the new ceilings
        names = ("ceiling", "top", "lowered", "lowered_rows", "stale", "stale_rows")
        fresh = state._replace(**{name: getattr(state, name).copy() for name in names})
        ges_state.mark_all_stale(fresh)
        climber = ClassClimber(score, rules, PDAG.empty(score.p), 0.0, silent)
        climber.state = fresh
        climber._fill_ceilings(op)
        lowered = state.lowered if op == INSERT else np.zeros_like(state.lowered)
        assert np.array_equal(state.ceiling[~lowered], fresh.ceiling[~lowered])
        assert (state.ceiling <= fresh.ceiling).all()
        kept.append((op, lowered.sum()))
        return best(families, score.cache, rules, state, op, *others)

    monkeypatch.setattr(ges_kernels, "best_operator", checked_best)
    score = GaussianBIC(sample(random_gaussian_network(30, 150, 1), 150, 1))
    equivalence_search(score, turning=True)
    assert {op for op, _ in kept} == {INSERT, DELETE, TURN}
    assert max(n for _, n in kept) > 0


@pytest.mark.compiled
@pytest.mark.parametrize("kind", SCORES)
def test_threads_do_not_change_the_search(monkeypatch, kind):
    """All steps, gains and counts are equal if threads share the insertions, also with room for few new scores."""
    score, _ = small_data(kind, 25, 3)
    alone = equivalence_search(score, turning=True)
    monkeypatch.setattr(ges_search, "SHARED_SECONDS", -1.0)
    monkeypatch.setattr(ges_search, "SHARED_VARIABLES", 0)
    monkeypatch.setattr(ges_search, "FEWEST_NEW_SCORES", 1)
    monkeypatch.setattr(ges_search, "Crew", lambda: Crew(3))
    other = score.emptied()
    shared = equivalence_search(other, turning=True)
    assert [(s.op, s.x, s.y, s.nodes, s.gain) for s in shared.operators] == [
        (s.op, s.x, s.y, s.nodes, s.gain) for s in alone.operators
    ]
    assert shared.graph == alone.graph
    assert other.n_scores == score.n_scores


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(("categorical", "continuous")), p=st.integers(2, 9))
@settings(max_examples=40, deadline=None)
def test_result_does_not_depend_on_the_order_of_the_columns(seed, kind, p):
    """Permuted columns give the permuted graph, directions included."""
    rng = np.random.default_rng(seed)
    score, _ = small_data("bic" if kind == "categorical" else "gaussian", p, seed)
    order = rng.permutation(p)
    if kind == "categorical":
        data = Dataset.from_codes(score.sample.codes[order], score.sample.arity[order], [f"v{k}" for k in order])
        other = BIC(data)
    else:
        corr = np.ascontiguousarray(score.sample.corr[np.ix_(order, order)])
        variance = score.sample.log_variance[order]
        sample = score.sample._replace(corr=_frozen(corr), log_variance=_frozen(variance))
        other = FamilyScore(tuple(f"v{k}" for k in order), sample)
    np.testing.assert_array_equal(ges(other).graph.amat, ges(score).graph.amat[np.ix_(order, order)])


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["asia", "child", "insurance", "alarm"])
def test_ges_scores_at_least_what_hill_climbing_reaches(name):
    """GES scores at least as high as hill climbing on these samples; no theorem guarantees it."""
    data = load_sample(name).dataset
    assert ges(BIC(data)).score >= hc(BIC(data)).score * (1.0 + 1e-12)  # scores are negative; sums differ by rounding


@pytest.mark.compiled
def test_a_higher_penalty_gives_fewer_edges():
    """A higher penalty factor gives strictly fewer edges; the penalty of a parameter is the factor times ½ ln n."""
    data = load_sample("child").dataset
    edges = [ges(BIC(data, penalty=penalty)).graph.n_edges for penalty in (0.25, 1.0, 4.0, 16.0)]
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == 4
    small, large = BIC(data, penalty=1.0), BIC(data, penalty=3.0)
    price = small.local(0, (1,)) - large.local(0, (1,))
    assert price == pytest.approx(np.log(data.n) * (data.arity[0] - 1) * data.arity[1])


def test_max_parents_limits_the_families():
    data = load_sample("insurance").dataset
    free, tight = ges(BDeu(data, ess=10.0)), ges(BDeu(data, ess=10.0), max_parents=1)
    assert free.extra.dag.amat.sum(axis=0).max() > 1
    assert tight.extra.dag.amat.sum(axis=0).max() == 1


# --- the trace ------------------------------------------------------------------------------------------------------


def test_trace_shows_the_class_after_every_step():
    """Each operator has one event with its gain and one event for each other edge that changes; scores match events."""
    score = BIC(load_sample("child").dataset)
    found, result = equivalence_search(score, turning=True), ges(score)
    trace, scores = result.trace, result.extra.scores
    assert trace.graph_at(len(trace.changes)) == result.graph
    assert len(scores) == len(trace.changes) + 1
    events = [event for event in trace if event.rule in STEPS]
    assert [event.statistic for event in events] == [step.gain for step in found.operators]
    assert {event.rule for event in trace} <= STEPS | {Rule.COMPELLED, Rule.EQUIVALENT}
    ends = [t for t, event in enumerate(trace) if event.rule in STEPS][1:] + [len(trace)]
    for end, amat in zip(ends, graphs_of(found), strict=True):
        np.testing.assert_array_equal(trace.graph_at(end).amat, amat)
        assert scores[end] == pytest.approx(score.network(consistent_extension(PDAG(amat)).dag))
    assert any(event.action == Action.ADD for event in trace)


def test_trace_begins_with_the_class_of_the_start():
    """Replaying the trace from the class of the start gives the result."""
    score = BIC(load_sample("asia").dataset)
    start = PDAG.from_edges(8, directed=[(0, 1), (2, 1), (3, 4)])
    known = Knowledge(required=((score.names[6], score.names[5]),))
    result = ges(score, start=start, knowledge=known)
    assert result.trace.start == cpdag(start)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.graph.mark(6, 5) == "forward"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda score: ges(score, max_parents=0), "max_parents must be"),
        (lambda score: ges(score, allowed=np.eye(3, dtype=bool)), "allowed must be a matrix with 8 rows and 8 columns"),
        (lambda score: ges(score, allowed=np.tri(8, dtype=bool)), "allowed must be a symmetric matrix of 8 rows"),
        (lambda score: ges(score, start=PDAG.complete(8)), "the graph must be a DAG"),
        (lambda score: ges(score, turning=1), "turning must be True or False"),
    ],
    ids=["max_parents", "size of allowed", "symmetry of allowed", "start", "turning"],
)
def test_ges_refuses_wrong_parameters(call, message):
    with pytest.raises(ParameterError, match=message):
        call(BIC(load_sample("asia").dataset))
