"""Tests that Parquet, SPSS, Stata and SAS files give the table of their CSV file.

No test has a SAS file (.sas7bdat), because only SAS writes them and none that may be redistributed is known. The
tests check that such a file is recognised and passed to pyreadstat, which has tests of its own.
"""

import contextlib
import datetime
import tempfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import parquet

from learners.common.errors import DataError
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading import binary_files
from learners.data.reading.signatures import SAS
from learners.data.reading.table import read_table

pytestmark = pytest.mark.compiled  # these tests run no kernel, so running them without compilation would add nothing

DAY = datetime.date(2024, 5, 1)
FRAME = pd.DataFrame(
    {
        "age": [31.5, np.nan, 40.25] * 12,
        "sex": ["f", "m", None] * 12,
        "sick": [0.0, 1.0, np.nan] * 12,
        "day": [DAY, None, DAY] * 12,
    }
)
LABELS = {"sick": {0: "no", 1: "yes"}, "age": {99: "refused"}}
WRITERS = {
    "sav": lambda path: pyreadstat.write_sav(FRAME, path, variable_value_labels=LABELS),
    "zsav": lambda path: pyreadstat.write_sav(FRAME, path, compress=True, variable_value_labels=LABELS),
    "por": lambda path: pyreadstat.write_por(FRAME, path),
    "dta": lambda path: pyreadstat.write_dta(FRAME, path, variable_value_labels={"sick": LABELS["sick"]}),
    "old dta": lambda path: pyreadstat.write_dta(
        FRAME, path, version=12, variable_value_labels={"sick": LABELS["sick"]}
    ),
    "xpt": lambda path: pyreadstat.write_xport(FRAME, path),
    "parquet": lambda path: FRAME.assign(sick=FRAME.sick.map({0.0: "no", 1.0: "yes"}).astype("category")).to_parquet(
        path
    ),
}


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", WRITERS)
def test_every_format_gives_the_same_cells(tmp_path, kind):
    """Every format gives the same numbers, texts, dates, missing cells and labels; xpt and por files have no labels."""
    path = tmp_path / f"table.{kind}"
    WRITERS[kind](path)
    table = read_table(path)
    sick = ["0", "1", ""] if kind in ("xpt", "por") else ["no", "yes", ""]
    assert table.n == 36
    frame = table.frame.rename(columns=str.lower)  # a portable file has uppercase names only
    assert frame["age"].tolist()[:3] == ["31.5", "", "40.25"]
    assert frame["sex"].tolist()[:3] == ["f", "m", ""]
    assert frame["sick"].tolist()[:3] == sick
    assert frame["day"].tolist()[:3] == ["2024-05-01", "", "2024-05-01"]
    assert prepare(table, default_plan(table).change(table.names[3], kind="ignore")).dataset.kinds == (
        "continuous",
        "categorical",
        "categorical",
    )


def test_user_missing_values_are_missing_and_a_scale_keeps_its_numbers(tmp_path):
    """Declared missing values become missing cells, and a scale with labels only at its ends stays numeric."""
    frame = pd.DataFrame({"income": [1200.0, 999.0, 900.0], "pain": [0.0, 5.0, 10.0]})
    names = {"pain": {0: "none", 10: "worst"}}
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(frame, path, missing_ranges={"income": [999]}, variable_value_labels=names)
    table = read_table(path)
    assert table.frame["income"].tolist() == ["1200", "", "900"]
    assert table.frame["pain"].tolist() == ["0", "5", "10"]


def test_two_values_with_one_label_stay_two(tmp_path):
    """Two values with the same label remain two levels, since values are never merged without notice."""
    path = tmp_path / "twice.sav"
    pyreadstat.write_sav(
        pd.DataFrame({"a": [1.0, 2.0, 3.0]}), path, variable_value_labels={"a": {1: "x", 2: "x", 3: "y"}}
    )
    table = read_table(path)
    assert table.frame["a"].tolist() == ["x (1)", "x (2)", "y"]
    assert table.guess.notes == ("the values of column 'a' are shown by their labels",)


def test_options_choose_columns_and_rows_of_a_parquet_file(tmp_path):
    """The options for columns and rows work as for a CSV file."""
    path = tmp_path / "table.parquet"
    FRAME.to_parquet(path)
    table = read_table(path, columns=["sex", "age"], max_rows=2)
    assert (table.names, table.n, table.guess.encoding) == (("age", "sex"), 2, "Parquet")


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["sav", "dta", "xpt", "parquet"])
def test_a_damaged_file_ends_in_a_sentence(tmp_path, kind):
    """Truncated and overwritten files give a DataError or a table."""
    path = tmp_path / f"table.{kind}"
    WRITERS[kind](path)
    raw = path.read_bytes()
    half = len(raw) // 2
    for broken in (raw[:half], raw[:200] + bytes(150) + raw[350:], raw[:half] + b"\xff" * 40 + raw[half + 40 :]):
        with contextlib.suppress(DataError):
            read_table(broken)


def test_a_file_of_sas_is_handed_to_its_reader():
    """A SAS file is recognised by its signature and reported as damaged, since the rest of it is invalid."""
    with pytest.raises(DataError, match="the SAS file is damaged and cannot be read"):
        read_table(SAS + bytes(4096))


def test_a_reader_that_crashes_ends_in_a_sentence(tmp_path, monkeypatch):
    """The reader is C code in a child process, so a crash ends only the child. The error message names the file."""
    crash = 'import os, signal\ndef read(file, **given):\n    yield b\'{"at": "SPSS"}\'\n    os.kill(os.getpid(), 11)\n'
    (tmp_path / "crashing.py").write_text(crash)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(binary_files, "READER", "crashing")
    path = tmp_path / "table.sav"
    WRITERS["sav"](path)
    with pytest.raises(DataError, match="the SPSS file 'table.sav' is damaged and cannot be read"):
        read_table(path)


def test_no_place_for_temporary_files_is_needed(tmp_path, monkeypatch):
    """An SPSS file is read without temporary files, because the disk may be full."""
    path = tmp_path / "table.sav"
    WRITERS["sav"](path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "gone"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert read_table(path).n == 36


def test_nested_cells_are_refused_by_name(tmp_path):
    """A column of lists is refused by its name."""
    path = tmp_path / "nested.parquet"
    parquet.write_table(pa.table({"a": [1, 2], "tags": [["x"], ["y", "z"]]}), path)
    with pytest.raises(DataError, match="column 'tags' of the file must hold single cells, found list"):
        read_table(path)


def test_a_small_file_of_many_rows_is_refused_unread(monkeypatch, tmp_path):
    """A small file of repeated values is refused unread if its table would exceed the memory limit."""
    path = tmp_path / "long.parquet"
    parquet.write_table(pa.table({"a": np.zeros(400_000)}), path)
    monkeypatch.setenv("EDGEWISE_STEP_MB", "1")
    assert read_table(path, max_rows=10).n == 10  # a path is read in batches
    with pytest.raises(DataError, match="a table of 400,000 rows and 1 columns would take"):
        read_table(path.read_bytes())


def test_a_text_that_begins_like_one_is_no_such_file():
    """A CSV file whose first column is called PAR1 is not taken for a Parquet file."""
    assert read_table(b"PAR1,b\n1,2\n").names == ("PAR1", "b")
