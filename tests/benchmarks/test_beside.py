"""Comparison of the papers' figures with those of Edgewise: spreads, claims, and notes on differences."""

import math

import pandas as pd
import pytest

from benchmarks.papers import beside
from benchmarks.papers.archive import stored_rows
from benchmarks.papers.beside import compared, held, printed_numbers
from benchmarks.papers.catalogue import EXPERIMENTS
from benchmarks.papers.experiment import Claim, Experiment, label
from benchmarks.papers.notes import NOTES, OPEN, Note, note_on
from benchmarks.papers.store import OLD_COLUMNS


def declared(printed=None, claims=()) -> Experiment:
    networks = {"smoke": 1, "desk": 2, "paper": 3}
    return Experiment("small", "", ({"p": 1}, {"p": 2}), networks, lambda _: [], printed=printed or {}, claims=claims)


def rows(*lines: tuple) -> pd.DataFrame:
    """Return rows of cell, seed, method and value of the metric "score"."""
    return pd.DataFrame(
        [(f"{cell} seed={seed}", method, "score", value, 0, "v") for cell, seed, method, value in lines],
        columns=OLD_COLUMNS,
    )


@pytest.mark.parametrize(
    ("text", "mean", "spread"),
    [("2 ± 1.2", 2, 1.2), ("0.449", 0.449, math.nan), ("-13.8", -13.8, math.nan), ("6.4 min", 384, math.nan)],
    ids=["spread", "mean", "negative", "minutes"],
)
def test_a_printed_figure_is_read_as_numbers(text, mean, spread):
    """A figure gives its mean and, if printed, its spread; minutes are converted to seconds."""
    found = printed_numbers(text)
    assert found[0] == pytest.approx(mean)
    assert found[1] == pytest.approx(spread, nan_ok=True)


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_everything_printed_can_be_read(experiment):
    """Each printed figure is a number, so it can be plotted."""
    assert all(math.isfinite(printed_numbers(text)[0]) for text in experiment.printed.values())


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("0.5", beside.WITHIN), ("0.6", beside.BEYOND), ("0.6 ± 0.1", beside.WITHIN), ("0.7 ± 0.1", beside.BEYOND)],
    ids=["near", "far", "near with spread", "far with spread"],
)
def test_a_difference_is_held_against_both_spreads(printed, verdict):
    """The interval 0.4 ± 0.14 from two networks overlaps 0.54 and a paper's 0.64 ± 0.1."""
    table = compared(declared({("p=1", "A", "score"): printed}), rows(("p=1", 0, "A", 0.3), ("p=1", 1, "A", 0.5)))
    assert table["spread"].tolist() == pytest.approx([math.sqrt(0.02)])
    assert table["verdict"].tolist() == [verdict]


def test_one_data_set_has_no_spread_to_judge_by():
    """There is no verdict unless the paper prints a spread."""
    one = rows(("p=1", 0, "A", 0.3))
    assert compared(declared({("p=1", "A", "score"): "0.9"}), one)["verdict"].tolist() == [beside.UNKNOWN]
    assert compared(declared({("p=1", "A", "score"): "0.9 ± 0.1"}), one)["verdict"].tolist() == [beside.BEYOND]


def test_what_only_one_side_has_is_shown_without_a_verdict():
    """Cells without printed figures and cells without results have a row, but no verdict."""
    table = compared(declared({("p=2", "A", "score"): "0.9"}), rows(("p=1", 0, "A", 0.3)))
    assert table["cell"].tolist() == ["p=1", "p=2"]
    assert table["verdict"].tolist() == ["", ""]
    assert table["networks"].tolist() == [1, 0]


def test_claims_are_judged_by_their_standard_error():
    """A claim holds, is a tie, is contradicted, or has no figures; only a contradicted one has a note."""
    lines = [("p=1", seed, "A", 1 + 0.01 * seed) for seed in range(4)]
    lines += [("p=1", seed, method, 0.0) for seed in range(4) for method in "BC"]
    lines += [("p=1", seed, "D", 1 + 0.5 * (-1) ** seed) for seed in range(4)]
    claims = [("A", "B"), ("D", "A"), ("B", "A"), ("B", "E")]
    found = held(declared(claims=tuple(Claim("score", *pair) for pair in claims)), rows(*lines))
    assert found["verdict"].tolist() == [beside.HOLDS, beside.TIE, beside.AGAINST, beside.NO_FIGURES]
    assert found["note"].tolist() == ["", "", OPEN, ""]
    assert found["above 0"].tolist() == ["4 of 4", "2 of 4", "0 of 4", "0 of 0"]


def test_the_first_note_that_fits_is_reported(monkeypatch):
    """Cell, method and metric must all match; otherwise the difference is unexplained."""
    notes = (Note("one", cell="p=1", method="^A$"), Note("two", metric="score"))
    monkeypatch.setitem(NOTES, "small", notes)
    assert note_on("small", "p=1", "A", "score") == "one"
    assert note_on("small", "p=1", "AB", "score") == "two"
    assert note_on("small", "p=1", "AB", "other") == ""
    table = compared(
        declared({("p=1", "A", "score"): "9", ("p=1", "B", "score"): "0.35"}),
        rows(*(("p=1", seed, method, 0.3 + 0.1 * seed) for seed in range(2) for method in "AB")),
    )
    assert table["note"].tolist() == ["one", ""]


@pytest.mark.parametrize("notes", {id(notes): notes for notes in NOTES.values()}.values())
def test_every_note_is_about_something(notes):
    """Each note matches a printed figure or a claim of its experiments."""
    about = []
    for experiment in (EXPERIMENTS[name] for name, others in NOTES.items() if others is notes):
        about += experiment.printed
        for claim in experiment.claims:
            about += [(label(cell), f"{claim.better} - {claim.worse}", claim.metric) for cell in experiment.cells]
    assert [note for note in notes if not any(note.is_about(*key) for key in about)] == []


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if one.pieces("desk")])
def test_stored_results_say_why_they_differ(name):
    """Each difference larger than the spread and each contradicted claim has a note."""
    found = stored_rows(name)
    assert len(found)
    for table in (compared(EXPERIMENTS[name], found), held(EXPERIMENTS[name], found)):
        differ = table["verdict"].isin(beside.DIFFER)
        assert (table.loc[differ, "note"] != "").all()
        assert (table.loc[table["verdict"].isin((beside.WITHIN, beside.HOLDS, "")), "note"] == "").all()
