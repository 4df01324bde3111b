"""Tests of rankings of pairs: the table, its CSV and its JSON."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from learners import LEARNERS, Dataset, learn, load_sample
from learners.data.dataset import Kind
from learners.io.edge_csv import SEPARATOR, to_ranking_csv
from learners.io.interchange import from_json, to_json
from learners.results.ranking import MAX_LISTED, Ranking
from learners.results.result import LearnResult, metadata, ranking_of, ranks_pairs

BY_TESTS = {"pc", "mmpc", "gs", "fast_iamb", "si_hiton_pc", "ppc", "path", "hpc", "hpc_target"}
BY_INFORMATION = {"cimap", "pc_mi", "aracne"}
OF_THEIR_OWN = {"lmm", "score_path"}  # learners whose ranks no single number determines
RANKING = OF_THEIR_OWN | BY_TESTS | BY_INFORMATION
CASES = [(key, kind) for key in sorted(RANKING) for kind in LEARNERS[key].kinds if kind != "mixed"]


def data_of(kind: Kind) -> Dataset:
    """Return six strongly dependent columns whose names a spreadsheet would run as formulas."""
    rng = np.random.default_rng(4)
    values = rng.normal(size=(300, 6))
    for j in range(1, 6):
        values[:, j] += 0.7 * values[:, j - 1]
    names = ["a", "=b", "c;d", "e", 'f"', "g"]
    if kind == "continuous":
        return Dataset.from_values(values, names)
    return Dataset.from_codes((values > 0).astype(np.int64).T, [2] * 6, names)


def run_of(key: str, kind: Kind) -> tuple[LearnResult, Ranking]:
    result = learn(key, data_of(kind))
    ranking = ranking_of(result)
    assert ranking is not None
    return result, ranking


@pytest.mark.deep
@pytest.mark.compiled
def test_the_learners_that_rank_are_these():
    """The listed learners are those that rank pairs; update the list if this changes."""
    found = set()
    for key, one in LEARNERS.items():
        kind = "continuous" if key == "lmm" else "categorical"
        if kind in one.kinds and ranks_pairs(learn(key, data_of(kind))):
            found.add(key)
    assert found >= RANKING
    assert not found & {"hc", "tabu", "ges", "boss", "mmhc", "phgs", "bootstrap"}


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_ranking_is_in_order_and_complete(key, kind):
    """Each pair occurs once, ranks follow their criterion, `kept` is the graph, and no set contains its own pair."""
    result, ranking = run_of(key, kind)
    assert len({tuple(pair) for pair in ranking.pairs.tolist()}) == len(ranking) > 0
    assert (ranking.pairs[:, 0] < ranking.pairs[:, 1]).all()
    first = next(iter(ranking.values.values()))
    falls = key in {"score_path", "pc_mi"}
    if key != "lmm":  # elimination considers only the remaining edges, so a joint CPPD may rise again
        assert (np.diff(first) * (-1 if falls else 1) >= 0).all()
    assert (np.diff(ranking.ranks) >= 0).all()
    assert ranking.ranks[0] == 1
    if key not in OF_THEIR_OWN:
        assert np.array_equal(np.diff(ranking.ranks) == 0, np.diff(first) == 0)
    np.testing.assert_array_equal(ranking.kept, result.graph.skeleton[tuple(ranking.pairs.T)])
    for one in ranking:
        assert all(not {one.i, one.j} & set(cond) for cond in one.hardest)


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_csv_and_json_hold_the_ranking(key, kind):
    """CSV and JSON have each row; names that a spreadsheet would run are escaped; the JSON can be read as a graph."""
    result, ranking = run_of(key, kind)
    rows = list(csv.DictReader(io.StringIO(to_ranking_csv(ranking, result.names))))
    text = to_json(result.graph, result.names, metadata(result))
    actual = json.loads(text)["ranking"]
    assert from_json(text)[0] == result.graph
    assert actual["ranked_pairs"] == len(ranking) == len(rows) == len(actual["pairs"])
    assert actual["ranked_by"] == list(ranking.values)
    bare = lambda cell: cell.removeprefix("'")  # noqa: E731
    for one, row, entry in zip(ranking, rows, actual["pairs"], strict=True):
        assert (bare(row["first"]), bare(row["second"])) == (result.names[one.i], result.names[one.j])
        assert int(row["rank"]) == entry["rank"] == one.rank
        assert [float(row[name]) for name in ranking.values] == list(one.values)
        assert entry["pair"] == [one.i, one.j]
        sets = [bare(row[f"hardest {name}"]) for name in ranking.hardest]
        assert sets == [SEPARATOR.join(result.names[k] for k in cond) for cond in one.hardest]
        assert entry["hardest"] == [list(cond) for cond in one.hardest]
        assert (row["kept"] == "yes") == entry["kept"] == one.kept


def test_lmm_exports_what_its_table_shows():
    """The export has the joint CPPD and the hardest set of each end, at the move that removed the edge."""
    result, ranking = run_of("lmm", "continuous")
    moves, at = result.extra.moves, result.extra.ranked
    assert list(ranking.values)[0] == "joint CPPD"
    for one, move in zip(ranking, at.tolist(), strict=True):
        assert one.values == (moves.joint[move], moves.key[move])
        assert one.hardest == tuple(tuple(sorted(moves.hardest_set(move, side))) for side in (0, 1))


def test_a_file_that_holds_more_lists_the_first_pairs_of_a_long_ranking():
    """A file with other content lists the first pairs of a long ranking and the number of pairs."""
    pairs = np.column_stack([np.zeros(MAX_LISTED + 5, dtype=int), np.arange(1, MAX_LISTED + 6)])
    values = np.arange(len(pairs), dtype=float)
    actual = Ranking(pairs, np.arange(1, len(pairs) + 1), {"p": values}, {}, values > 3).to_dict()
    assert actual["ranked_pairs"] == MAX_LISTED + 5
    assert len(actual["pairs"]) == MAX_LISTED


def test_what_ranks_nothing_says_nothing_of_ranks():
    """A score-based search has no ranking."""
    result = learn("hc", load_sample("asia").dataset)
    assert ranking_of(result) is None
    assert "ranking" not in metadata(result)
