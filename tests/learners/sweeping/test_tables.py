"""Tests of sweeps over tables: each result equals that of a run on its table alone."""

from __future__ import annotations

import numpy as np
import pytest

from learners import (
    DataError,
    Knowledge,
    ParameterError,
    default_plan,
    learn,
    load_sample,
    prepare,
    read_table,
    sweep_tables,
)
from learners.data.plan.binning import Binning
from learners.sweeping import fewer_rows, other_bins, placed, random_halves, without_columns, without_groups
from tests.learners.test_column_order import check_same

pytestmark = pytest.mark.compiled  # the runs have thousands of rows

ASIA = load_sample("asia").dataset
TABLES = {
    "rows": fewer_rows(ASIA, n=4),
    "halves": random_halves(ASIA, n=4),
    "columns": without_columns(ASIA.select(range(5))),
    "groups": without_groups(ASIA, "smoke"),
}


@pytest.mark.parametrize("which", list(TABLES))
def test_every_table_is_learned_as_by_itself(which):
    tables = TABLES[which]
    found = sweep_tables("pc", tables, alpha=0.01)
    assert found.complete
    assert found.values == tables.names
    for k, result in enumerate(found.results):
        check_same(result, learn("pc", tables.make(k), alpha=0.01))


def test_fewer_rows_lie_within_more():
    tables = TABLES["rows"]
    sizes = [tables.make(k).n_rows for k in range(len(tables))]
    assert sizes == sorted(sizes)
    assert sizes[-1] == ASIA.n_rows
    assert tables.names[-1] == f"{ASIA.n_rows:,}"
    few, more = (tables.make(k) for k in (0, 1))
    rows = {tuple(row) for row in more.codes.T.tolist()}
    assert all(tuple(row) in rows for row in few.codes.T.tolist())


def test_halves_come_in_pairs_that_hold_all_rows_once():
    one, other = (TABLES["halves"].make(k) for k in (1, 2))
    both = np.concatenate([one.codes, other.codes], axis=1)
    assert sorted(map(tuple, both.T.tolist())) == sorted(map(tuple, ASIA.codes.T.tolist()))


def test_rows_that_count_twice_are_two_rows():
    merged = ASIA.merged()
    assert fewer_rows(merged, n=3).names == fewer_rows(ASIA, n=3).names


def test_a_group_left_out_has_no_row_left():
    tables = TABLES["groups"]
    j = ASIA.index("smoke")
    assert all((tables.make(k).codes[j] != k - 1).all() for k in (1, 2))
    assert tables.names == ("all rows", *(f"without {level}" for level in ASIA.levels[j]))


def test_a_graph_without_a_column_keeps_the_places_of_the_others():
    found = sweep_tables("pc", TABLES["columns"], knowledge=Knowledge(forbidden=(("asia", "tub"), ("tub", "asia"))))
    names = ASIA.names[:5]
    for k, result in enumerate(found.results[1:]):
        graph = placed(result, names)
        assert not graph.skeleton[k].any()
        kept = [names.index(name) for name in result.names]
        assert (graph.amat[np.ix_(kept, kept)] == result.graph.amat).all()


def test_bins_of_a_column_change_only_its_levels(tmp_path):
    path = tmp_path / "t.csv"
    rng = np.random.default_rng(1)
    path.write_text("a,b\n" + "\n".join(f"{x:.3f},{'uv'[int(x > 0)]}" for x in rng.normal(size=60)))
    table = read_table(path)
    plan = default_plan(table).change("a", kind="categorical", binning=Binning("frequency", 4))
    tables = other_bins(table, plan, "a", most=5)
    assert tables.names == ("2 bins", "3 bins", "4 bins", "5 bins")
    assert tables.names[tables.base] == "4 bins"
    assert [len(tables.make(k).levels[0]) for k in range(4)] == [2, 3, 4, 5]
    assert tables.make(tables.base).fingerprint == prepare(table, plan).dataset.fingerprint
    with pytest.raises(DataError, match="not cut into bins"):
        other_bins(table, plan, "b")


def test_wrong_tables_end_in_a_sentence():
    with pytest.raises(ParameterError, match="unknown column"):
        without_groups(ASIA, "nothing")
    with pytest.raises(ParameterError, match="tables must be"):
        sweep_tables("pc", ASIA)
    with pytest.raises(ParameterError, match="names must include"):
        placed(learn("pc", ASIA), ASIA.names[:3])


def test_a_cancelled_sweep_keeps_what_is_done():
    found = sweep_tables("pc", TABLES["rows"], tick=lambda phase, done, _total: phase != "values" or done < 2)
    assert sum(result is not None for result in found.results) == 2
    assert found.results[-1] is not None
