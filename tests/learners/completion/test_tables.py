"""Tests of completed categorical tables: the draws, the stack of tables, and runs on the stack."""

import math

import numpy as np
import pytest

from learners import BDeu, Dataset, Knowledge, learn, load_network, sample, with_missing_cells
from learners.completion.categorical_augmentation import complete_tables
from learners.completion.completed import with_completion
from learners.completion.family_layout import MAX_CELLS, family_tables
from learners.data.completed_data import completed_tables
from learners.data.resampling import resampled
from learners.kernels.completion.gibbs import count_cells, draw_cells, normalize
from learners.registry import LEARNERS, as_completed
from tests.learners.scores.test_node_average import families
from tests.tiers import family

ASIA = sample(load_network("asia"), 400, seed=1)
HOLED = with_missing_cells(ASIA, 0.2, "mar", seed=2)


def test_cells_are_drawn_from_their_distribution_given_the_row():
    """In A -> B <- C with two missing cells, the frequency of each drawn pair of levels equals its probability."""
    rng = np.random.default_rng(1)
    dag = np.zeros((3, 3), bool)
    dag[0, 1] = dag[2, 1] = True
    arity = np.array([2, 3, 2])
    tables = family_tables(dag, arity)
    table = rng.random(int(tables.first[-1])) + 0.1
    normalize(arity, tables, table)
    codes = np.array([[0], [2], [1]], dtype=np.uint8)
    variable, row = np.array([0, 2]), np.array([0, 0])
    seen = np.zeros((2, 2))
    for _ in range(20_000):
        draw_cells(codes, arity, tables, table, variable, row, rng.random(2))
        seen[codes[0, 0], codes[2, 0]] += 1
    first, child, second = table[:2], table[tables.first[1] : tables.first[2]].reshape(2, 2, 3), table[-2:]
    expected = first[:, None] * second[None, :] * child[:, :, 2].T  # the parents are 0 and 2, and 0 varies fastest
    assert seen / seen.sum() == pytest.approx(expected / expected.sum(), abs=0.02)


def test_cells_of_families_are_counted():
    dag = load_network("asia").dag.amat
    tables = family_tables(dag, ASIA.arity)
    counts = np.zeros(int(tables.first[-1]))
    count_cells(ASIA.codes, ASIA.arity, tables, np.empty(0), counts)
    for j in range(ASIA.p):
        place = sum(
            int(step) * ASIA.codes[k].astype(int)
            for k, step in zip(np.flatnonzero(dag[:, j]), tables.step[j], strict=False)
        )
        place = place * int(ASIA.arity[j]) + ASIA.codes[j]
        own = counts[tables.first[j] : tables.first[j + 1]]
        assert own == pytest.approx(np.bincount(place, minlength=len(own)))


def test_large_families_leave_parents_out():
    dag = np.zeros((6, 6), bool)
    dag[:5, 5] = True
    tables = family_tables(dag, np.array([50, 60, 70, 80, 90, 2]))
    assert int(np.diff(tables.first).max()) <= MAX_CELLS
    assert tables.n_parents[5] == 3


def test_present_cells_stay_and_missing_ones_vary():
    found = complete_tables(HOLED, seed=3)
    stack = found.stack
    assert (stack.n, stack.copies, stack.n_rows) == (HOLED.n, 10, 10 * HOLED.n)
    assert stack.complete
    assert len(found.dags) == 10
    there = HOLED.codes != HOLED.arity[:, None]
    tables = np.stack(np.split(stack.codes, 10, axis=1))
    assert (tables == HOLED.codes)[:, there].all()
    assert (tables != tables[0])[:, ~there].mean() > 0.05
    mixed = found.mixed
    assert (mixed.n, mixed.copies, mixed.complete) == (HOLED.n, 1, True)


def test_the_score_of_a_stack_is_that_of_its_mean_counts():
    """The counts of the stack are means over its tables; its sample size is that of one table."""
    stack = complete_tables(HOLED, seed=3).stack
    for data in (stack, stack.merged()):
        score = BDeu(data, ess=5.0, edge_penalty=None)
        assert score.edge_penalty == pytest.approx(0.5 * math.log(HOLED.n) + math.log(HOLED.p))
        for v, parents in families(4, 2):
            cells = {}
            for row in stack.codes.T:
                key = tuple(row[k] for k in parents)
                cells.setdefault(key, np.zeros(stack.arity[v]))[row[v]] += 0.1
            q = math.prod(int(stack.arity[k]) for k in parents)
            a = 5.0 / q
            expected = -score.edge_penalty * len(parents)
            for counts in cells.values():
                expected += math.lgamma(a) - math.lgamma(a + counts.sum())
                expected += sum(math.lgamma(a / len(counts) + c) - math.lgamma(a / len(counts)) for c in counts)
            assert score.local(v, parents) == pytest.approx(expected, rel=1e-9)


def test_a_resample_of_a_stack_has_the_rows_of_one_table():
    stack = complete_tables(HOLED, seed=3).stack
    for data in (stack, stack.merged()):
        drawn = resampled(data, 1)
        assert (drawn.n, drawn.copies) == (HOLED.n, 1)


def test_draws_depend_only_on_names_and_seed():
    one = completed_tables(with_completion(HOLED, seed=5))
    order = np.random.default_rng(1).permutation(HOLED.p).tolist()
    other = completed_tables(with_completion(HOLED.reordered(order), seed=5))
    assert np.array_equal(one.codes[order], other.codes)
    assert not np.array_equal(one.codes, completed_tables(with_completion(HOLED, seed=6)).codes)


def test_knowledge_holds_in_the_networks():
    known = Knowledge(required=(("asia", "dysp"),), forbidden=(("lung", "smoke"), ("smoke", "lung")))
    found = complete_tables(HOLED, knowledge=known, seed=3)
    asia, dysp, lung, smoke = map(HOLED.index, ("asia", "dysp", "lung", "smoke"))
    assert all(dag[asia, dysp] and not dag[lung, smoke] and not dag[smoke, lung] for dag in found.dags)


def test_counts_stand_for_equal_rows():
    few = HOLED.merged()
    assert few.n_rows < HOLED.n_rows
    found = complete_tables(few, seed=3).stack
    assert (found.n, found.copies) == (HOLED.n, 10)


def test_cancelled_completions_fill_every_cell():
    found = complete_tables(HOLED, seed=3, tick=lambda *_: False)
    assert found.stack.complete
    assert found.stack.n == HOLED.n


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize("key", [key for key, one in LEARNERS.items() if "categorical" in one.kinds])
def test_every_learner_takes_missing_cells(key):
    """The graph does not depend on the order of the columns, and the result says how cells were imputed."""
    few = {"bootstrap": {"n_resamples": 2}, "order_mcmc": {"steps": 200, "run_on": 0}, "hpc_target": {"target": "lung"}}
    results = [learn(key, data, seed=1, **few.get(key, {})) for data in (HOLED, HOLED.reordered(range(7, -1, -1)))]
    first, second = ({tuple(sorted((r.names[i], r.names[j]))) for i, j in r.graph.edges()} for r in results)
    assert first == second
    completed = results[0].completed
    scored = LEARNERS[key].takes_missing and results[0].n_scores > 0
    assert (completed is not None) == (scored or not LEARNERS[key].takes_missing)
    if completed is not None:
        assert completed.tables == (10 if LEARNERS[key].takes_missing else 1)
        assert completed.sentence.startswith(f"{100 * completed.share:.2g}% of the cells are missing.")
    assert as_completed(results[0], HOLED).completion is not None


def test_available_rows_are_still_a_choice():
    result = learn("ges", HOLED, missing="available")
    assert result.completed is None
    assert result.params["missing"] == "available"
    assert result.score != learn("ges", HOLED).score


def test_complete_data_have_no_treatment():
    result = learn("ges", ASIA)
    assert "missing" not in result.params
    assert result.completed is None


@pytest.mark.parametrize("mechanism", ["mcar", "mar"])
@pytest.mark.gate_cases(1)
def test_a_completed_table_gives_nearly_the_graph_of_the_complete_one(mechanism):
    """For 4,000 rows of asia with 10 % of the cells missing, at most two edges of the skeleton differ."""
    data = sample(load_network("asia"), 4_000, seed=11)
    incomplete = with_missing_cells(data, 0.1, mechanism, seed=12)
    complete, found = (learn("boss", one, seed=1).graph.skeleton for one in (data, incomplete))
    assert int((complete != found).sum()) // 2 <= 2


def test_a_column_without_cells_in_a_resample_is_drawn_from_all_levels():
    codes = np.array([[0, 1, 0, 1, 0, 1], [-1, -1, -1, -1, -1, -1]])
    found = complete_tables(Dataset.from_codes(codes, [2, 3], ["a", "b"]), seed=1)
    assert found.stack.complete


def test_the_warning_of_unseen_pairs_quotes_names_as_they_are():
    """A name with a comma is quoted unchanged in the warning."""
    rng = np.random.default_rng(0)
    level = rng.integers(0, 3, 400)
    first, second = np.where(np.arange(400) < 200, level, -1), np.where(np.arange(400) < 200, -1, level)
    data = Dataset.from_codes([first, second, level], [3, 3, 3], ["a, b", "c", "d"])
    warnings = [one for key in ("hc", "ges", "boss") for one in learn(key, data).warnings if "no row shows" in one]
    assert warnings
    assert all("'a, b' and 'c' are related" in one for one in warnings)


def test_complete_data_are_scored_as_they_are(monkeypatch):
    """Judging the directions of a run on complete data prepares no completion and imports none of its modules."""
    monkeypatch.setattr("learners.completion.completed.with_completion", None)
    assert as_completed(learn("ges", ASIA), ASIA) is ASIA
