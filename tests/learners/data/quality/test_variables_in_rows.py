"""Tests that tables with the variables in rows are found and can be transposed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.__main__ import main
from learners.common.errors import DataError
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.reading.table import Table, read_table

CASES = Path(__file__).parents[1] / "cases"


def is_found(table: Table) -> bool:
    return any(f.code == "transposed" for f in check_health(table, default_plan(table)))


@pytest.mark.deep
def test_genes_in_rows_become_variables():
    """In a table of 300 genes in rows and 60 samples in columns, the genes become the variables."""
    table = read_table(CASES / "genes_rows.csv")
    assert is_found(table)
    turned = read_table(CASES / "genes_rows.csv", transpose=True)
    assert (turned.n, turned.p, turned.names[:2]) == (60, 301, ("row", "HLA-A0.1"))
    dataset = prepare(turned, default_plan(turned)).dataset
    assert (dataset.n_rows, dataset.p, dataset.kind) == (60, 300, "continuous")
    assert dataset.values[:2, 0].tolist() == [8.5173, 8.1841]
    assert not is_found(turned)


@pytest.mark.parametrize(("first", "sample", "expected"), [("probe", "GSM", True), ("id", "GSM", False),
    ("probe", "x", False)])  # fmt: skip
def test_fewer_variables_than_cases_are_seen_if_both_are_named(first, sample, expected):
    """A panel of 20 probes and 60 samples is seen by the names of both; one of them is not enough."""
    rng = np.random.default_rng(7)
    values = (rng.normal(8, 2, (20, 1)) + rng.normal(0, 0.5, (20, 60))).round(3)
    frame = pd.DataFrame(values, columns=[f"{sample}{400 + k}" for k in range(60)])
    frame.insert(0, first, [f"P{k}" for k in range(20)])
    assert is_found(read_table(frame.to_csv(index=False).encode())) == expected


@pytest.mark.parametrize("first", ["id", "person"])
def test_answers_to_items_are_not_transposed(first):
    """A questionnaire is not transposed, although its items have one scale and names of one pattern."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        rng.integers(1, 6, (80, 20)) + rng.normal(size=(80, 20)), columns=[f"item{k}" for k in range(20)]
    )
    frame.insert(0, first, [f"P{k:03}" for k in range(80)])
    assert not is_found(read_table(frame.to_csv(index=False).encode()))


def test_rows_without_names_get_numbers():
    table = read_table(b"a,b,c\n1,2,3\n1,5,6\n", transpose=True)
    assert table.names == ("row", "row 1", "row 2")
    assert table.frame.to_numpy().tolist() == [["a", "1", "1"], ["b", "2", "5"], ["c", "3", "6"]]


def test_too_many_rows_are_refused():
    with pytest.raises(DataError, match="cannot be transposed"):
        read_table(("a,b\n" + "1,2\n" * 1_001).encode(), transpose=True)


def test_the_command_line_transposes(tmp_path, capsys):
    rng = np.random.default_rng(6)
    values = rng.normal(size=(4, 40)).round(3)
    path = tmp_path / "turned.csv"
    pd.DataFrame(values, index=list("abcd"), columns=[f"s{k}" for k in range(40)]).to_csv(path, index_label="gene")
    assert main(["learn", str(path), "--quiet", "--transpose", "--learner", "hc"]) == 0
    assert "uses 40 rows and 4 of 5 columns" in capsys.readouterr().err
