"""Archived rows survive a round trip, and the app's tables follow from them."""

from __future__ import annotations

import pandas as pd
import pytest

from benchmarks.papers import archive, publishing
from benchmarks.papers.catalogue import EXPERIMENTS, PAPERS
from benchmarks.papers.experiment import Figure
from benchmarks.papers.running import Done
from benchmarks.papers.store import ResultFile
from viz.experiments import published

MAX_BYTES = 3_000_000  # maximum number of bytes of all stored results


def test_stored_results_are_small():
    """Archives and published tables together stay below the limit; each paper has one archive and one table."""
    files = [path for folder in (archive.RESULTS, published.RESULTS) for path in folder.glob("*.parquet")]
    assert sorted(path.stem for path in files) == sorted([*PAPERS, *PAPERS])
    assert sum(path.stat().st_size for path in files) < MAX_BYTES


def test_rows_survive_packing_and_a_run_continues_after_them(tmp_path, monkeypatch):
    """Rows are equal after packing, the archive replaces a missing CSV file, and no piece is repeated."""
    monkeypatch.setattr(archive, "RESULTS", tmp_path)
    done = Done((Figure("A, or B", "SHD", 1.25e-7, 0.5, 12), Figure("A", "JI", float("nan"))), 2.5, 300.25, "1.0", "x")
    first, second = tmp_path / "lmm_gamma.csv", tmp_path / "lmm_rows.csv"
    for path in (first, second):
        ResultFile(path).add("p=1 seed=0", done)
    content, rows = first.read_bytes(), archive.stored_rows("lmm_gamma")
    archive.pack("lmm")
    first.unlink()
    pd.testing.assert_frame_equal(archive.stored_rows("lmm_gamma"), rows)
    archive.pack("lmm")  # without the CSV file, it packs the archive's rows
    archive.unpack("lmm_gamma", first)
    assert first.read_bytes() == content
    assert ResultFile(first).finished == {"p=1 seed=0"}
    assert not archive.has_rows("lmm_table1")


def test_the_catalogue_of_the_app_is_current():
    """`python -m benchmarks pack` writes exactly the stored catalogue."""
    assert published.CATALOGUE.read_text(encoding="utf-8") == publishing.catalogue()


@pytest.mark.deep
@pytest.mark.parametrize("paper", PAPERS)
def test_the_tables_of_the_app_follow_from_the_stored_rows(paper):
    """Each value, verdict and note equals that of the archive."""
    rows = {
        name: archive.stored_rows(name) for name in EXPERIMENTS if name.startswith(paper) and archive.has_rows(name)
    }
    expected = publishing.tables(paper, rows)
    stored = pd.read_parquet(published.results_of(paper))
    pd.testing.assert_frame_equal(stored, expected)
