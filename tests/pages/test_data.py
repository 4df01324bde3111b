"""Tests of the Data page: import options, unreadable files, and the user's decisions about the table."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from learners.data.plan.preparation import prepare
from learners.io.edge_csv import to_edge_csv
from learners.io.samples import NETWORKS, SAMPLES
from learners.networks.missing_cells import with_missing_cells
from learners.networks.mixed_network import random_mixed_network
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from pages.blocks.data import simulation, table_source
from tests.pages.driving import (
    apply_fixes,
    edit,
    errors,
    figure,
    finish_run,
    go,
    learn_now,
    open_app,
    plain,
    press,
    small_table,
    sound,
    table,
    title,
    upload,
)

CASES = Path(__file__).parents[1] / "learners" / "data" / "cases"
NOISE = random.Random(0).randbytes(5_000)
UNREADABLE = {
    "empty": (b"", "The file is empty"),
    "blank": (b"\n \n\n", "The file is blank"),
    "header only": (b"a,b,c\n", "a header of 3 names and no row"),
    "binary": (NOISE, "binary data"),
    "picture": (b"\x89PNG\r\n\x1a\n" + NOISE, "found a picture. Save the table as CSV"),
    "broken gzip": (gzip.compress(small_table())[:-20], "this one is damaged"),
    "10 000 columns": (
        table([range(10_000)] * 3, [f"c{k}" for k in range(10_000)]),
        "at most 1,000 columns, found 10,000",
    ),
    "ragged": (b"a,b\n1,2\n3\n4,5\n", "line 3 has 1"),
    "open quote": (b'a,b\n1,"2\n3,4\n', "opened in line 2"),
}
BLOCKED = {
    "one column": (table([[k % 2] for k in range(40)], ["a"]), "at least 2 columns, found 1"),
    "one row": (table([["x", "y", "z"]]), "at least 10 rows, found 1"),
    "infinite": (table([[k / 7, "inf" if k % 9 == 0 else k / 3, k % 5 / 2] for k in range(90)]), "infinite numbers"),
}


def source(at):
    """Return the table in use."""
    return at.session_state["source"]


def fixes(at):
    """Return the suggested fixes as a mapping from label to key."""
    return {plain(one.label): one.key for one in at.button if one.key and one.key.startswith("data_fix")}


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable_file_is_one_sentence_and_changes_nothing(case):
    """The cause is named once, the previous table stays in use, and a valid file then clears the message."""
    data, cause = UNREADABLE[case]
    at = upload(open_app("data"), small_table(), "good.csv")
    upload(sound(at), data, "bad.csv")
    sound(at)
    assert len(errors(at)) == 1
    assert cause in errors(at)[0]
    assert errors(at)[0].count(". ") <= 1
    assert source(at).title == "good.csv"
    assert source(at).dataset is not None
    advised = any("Change the import options" in caption.value for caption in at.caption)
    assert advised == (case not in ("empty", "blank", "header only"))  # options add no rows
    upload(at, small_table(), "better.csv")
    assert errors(sound(at)) == []
    assert source(at).title == "better.csv"


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("case", BLOCKED)
def test_table_that_cannot_be_learnt_from_says_why_and_stops_there(case):
    """The Data page shows a blocker, and Learn repeats it with a link back; earlier results stay."""
    data, cause = BLOCKED[case]
    at = sound(upload(open_app("data"), data))
    assert any(cause in text for text in errors(at))
    assert source(at).dataset is None
    sound(go(at, "learn"))
    assert not [one for one in at.button if one.key == "learn_run"]
    assert at.get("page_link")[0].label == "Open the Data page"
    assert figure(sound(go(at, "inspect")), "edge")


@pytest.mark.deep
@pytest.mark.parametrize("case", ["infinite"])
def test_blocker_is_removed_by_its_first_fix(case):
    """One click per blocker makes a run possible."""
    at = apply_fixes(upload(open_app("data"), BLOCKED[case][0]))
    learn_now(at)
    assert at.session_state["runs"][-1].title.startswith("PC-stable on mine.csv")


def test_message_goes_with_its_file():
    """The message disappears with the file, or with a change of page."""
    at = upload(open_app("data"), b"")
    assert errors(at)
    at.file_uploader(key="data_file").clear().run()
    assert errors(sound(at)) == []
    upload(at, b"")
    go(go(at, "learn"), "data")
    assert errors(sound(at)) == []


def test_import_options_correct_a_wrong_guess():
    """Another separator is applied at once; a wrong one produces a message; the guess can be restored."""
    data = b"a|b;c|d;e\n" + b"1|2;3|4;5\n7|8;9|4;6\n" * 20
    at = upload(open_app("data"), data)
    other = "|" if source(at).table.guess.separator == ";" else ";"
    first = source(at).table.names
    at.selectbox(key="data_separator").set_value(other).run()
    assert source(sound(at)).table.guess.separator == other
    at.selectbox(key="data_separator").set_value("\t").run()
    assert len(errors(sound(at))) == 1
    assert source(at).table.guess.separator == other
    at.selectbox(key="data_separator").set_value(table_source.GUESS).run()
    assert source(sound(at)).table.names == first
    assert errors(at) == []


def test_options_of_one_file_are_not_kept_for_the_next():
    """The options of a new file are guessed again."""
    at = upload(open_app("data"), small_table())
    at.number_input(key="data_rows").set_value(20).run()
    assert source(sound(at)).table.n == 20
    upload(at, small_table(n=60), "next.csv")
    assert source(sound(at)).table.n == 60


def test_first_columns_of_a_table_too_wide_can_be_read():
    """The fix that the message names exists on the page."""
    at = upload(open_app("data"), UNREADABLE["10 000 columns"][0])
    at.number_input(key="data_columns").set_value(5).run()
    assert any("at least 10 rows, found 3" in text for text in errors(at))
    assert len(source(sound(at)).table.names) == 5


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("data", "read_as"),
    [
        (small_table().decode().encode("utf-16"), "utf-16"),
        (gzip.compress(small_table()), "column separator: comma"),
        (small_table(("größe", "b", "c")).decode().encode("latin-1"), "latin-1"),
        (b"a;b\n" + b"1,5;2,25\n2,5;0,75\n0,1;0,3\n" * 10, "column separator: semicolon · decimal separator: comma"),
    ],
    ids=["utf-16", "gzip", "latin-1", "decimal comma"],
)
def test_every_guess_is_said(data, read_as):
    """Encoding, separator and decimal mark are shown above the table."""
    at = sound(upload(open_app("data"), data))
    assert any(read_as in one.value for one in at.main.caption)
    assert not errors(at)


def test_all_missing_column_is_left_out_and_said():
    """A column of missing cells does not block learning; including it is a blocker with a fix."""
    at = sound(upload(open_app("data"), table([["xy"[k % 2], "", "uv"[k % 3 % 2]] for k in range(60)])))
    assert source(at).dataset.names == ("a", "c")
    assert any("'b'" in plain(one.value) and "ignored" in plain(one.value) for one in at.warning)
    edit(at, "data_variables", rows={1: {"use as": "continuous"}})
    assert any("has only missing cells" in text for text in errors(sound(at)))
    press(at, next(key for label, key in fixes(at).items() if label.lower().startswith("leave out")))
    assert source(sound(at)).dataset.names == ("a", "c")


@pytest.mark.deep
def test_column_of_the_all_missing_kind_can_be_looked_at():
    """Editing a column without a single value works for any column type."""
    at = upload(open_app("data"), table([["xy"[k % 2], "", k / 7] for k in range(60)]))
    for kind in ("continuous", "categorical", "ignore"):
        edit(at, "data_variables", rows={1: {"use as": kind}})
        for column in range(3):
            sound(next(box for box in at.selectbox if box.label == "Column").set_value(column).run())


def test_variables_table_changes_the_plan():
    """A column's use is changed once, and the change survives a visit to another page."""
    at = upload(open_app("data"), small_table())
    edit(at, "data_variables", rows={1: {"use as": "ignore"}})
    assert source(sound(at)).dataset.names == ("a", "c")
    go(go(at, "learn"), "data")
    assert source(sound(at)).dataset.names == ("a", "c")
    assert next(one for one in at.data_editor).value["use as"].tolist() == ["categorical", "ignore", "categorical"]


def missing_table():
    """Return a table with some empty cells and some NA, in two of three columns."""
    return table(
        [["xy"[k % 2], "" if k % 10 == 0 else "uv"[k % 3 % 2], "NA" if k == 5 else "pq"[k % 5 % 2]] for k in range(90)]
    )


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("policy", "label", "n"),
    [
        ("category", "make missing a separate level", 90),
        ("mode", "fill in the mode or median before learning", 90),
        ("drop", "drop rows with missing cells", 81),
    ],
)
def test_policy_for_missing_cells_by_fix_and_by_box(policy, label, n):
    """The suggested fix and the select box have the same effect, and the box shows the fix's choice."""
    at = upload(open_app("data"), missing_table())
    assert (source(sound(at)).plan.missing_policy, source(at).dataset.n) == ("available", 90)
    press(at, next(key for shown, key in fixes(at).items() if shown.lower() == label))
    assert (source(sound(at)).plan.missing_policy, source(at).dataset.n) == (policy, n)
    box = next(box for box in at.selectbox if box.label == "Missing cells")
    assert box.value == policy
    sound(box.set_value("available").run())
    assert (source(at).plan.missing_policy, source(at).dataset.complete) == ("available", False)


def test_marker_is_a_level_until_the_user_agrees():
    """NA among words stays a level; its pill under missing-value codes marks it as missing, and undoes that."""
    at = upload(open_app("data"), missing_table())
    assert "NA" in source(at).dataset.levels[2]
    next(box for box in at.selectbox if box.label == "Column").set_value(2).run()
    pills = next(one for one in at.get("button_group") if one.label == "Missing-value codes")
    pills.set_value(["NA"]).run()
    assert "NA" not in source(sound(at)).dataset.levels[2]
    pills = next(one for one in at.get("button_group") if one.label == "Missing-value codes")
    pills.set_value([]).run()
    assert "NA" in source(sound(at)).dataset.levels[2]


def test_looking_at_a_column_changes_nothing():
    """Empty cells stay missing while other markers are offered."""
    at = upload(open_app("data"), table([["xy"[k % 2], "NA" if k == 3 else k / 7, k / 3] for k in range(90)]))
    plan = source(at).plan
    for column in range(3):
        next(box for box in at.selectbox if box.label == "Column").set_value(column).run()
    assert source(sound(at)).plan == plan


def numeric_table():
    """Return whole numbers with many values, all of type categorical."""
    at = upload(open_app("data"), table([[k % 50, k * 7 % 31, k % 2] for k in range(300)]))
    edit(at, "data_variables", rows={0: {"use as": "categorical"}, 1: {"use as": "categorical"}})
    return sound(at)


def apply_bins(at, method, bins=3, cuts=""):
    """Fill in and submit the bins of the edited column."""
    next(box for box in at.selectbox if box.label == "Levels").set_value(method)
    next(box for box in at.number_input if box.label == "Number of bins").set_value(bins)
    next(box for box in at.text_input if box.label.startswith("Cut points")).set_value(cuts)
    return next(one for one in at.button if one.label == "Apply bins").click().run()


@pytest.mark.deep
def test_bins_of_each_method_reach_the_data():
    """Equal frequencies, equal widths, custom cut points, and a return to one level per value reach the data."""
    at = numeric_table()
    for method, bins, cuts, arity in (("frequency", 4, "", 4), ("width", 5, "", 5), ("cuts", 3, "10 20;30", 4)):
        apply_bins(at, method, bins, cuts)
        assert source(sound(at)).dataset.arity[0] == arity
    apply_bins(at, "none")
    assert source(sound(at)).dataset.arity[0] == 50


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("cuts", ["", "ten", "1 inf"], ids=["none", "word", "infinite"])
def test_cut_points_that_are_none_are_refused_in_a_sentence(cuts):
    """Invalid cut points give an error message and leave the plan unchanged."""
    at = numeric_table()
    apply_bins(at, "cuts", cuts=cuts)
    assert any("cuts must be one or more finite numbers" in text for text in errors(sound(at)))
    assert source(at).plan.columns[0].binning is None


def test_rare_levels_are_merged_on_demand():
    """Merging leaves fewer levels and keeps all rows."""
    at = upload(
        open_app("data"), table([["abcdefgh"[min(k % 40, 7)], "xy"[k % 2], "uv"[k % 3 % 2]] for k in range(200)])
    )
    next(box for box in at.number_input if box.label.startswith("Minimum rows")).set_value(10).run()
    assert (source(sound(at)).dataset.n, source(at).dataset.arity[0]) == (200, 2)


def test_sample_replaces_the_upload():
    """The latest choice is in use, whether a sample or an upload."""
    at = upload(open_app("data"), small_table())
    at.segmented_control(key="data_way").set_value("Samples").run()
    press(at, "data_sample_asia")
    assert source(sound(at)).title == SAMPLES["asia"].title
    assert source(at).truth is not None


def simulator(kind="published"):
    """Open the Data page, ready to simulate from a published or a random network."""
    at = open_app("data")
    at.segmented_control(key="data_way").set_value("Simulate").run()
    if kind == "random":
        at.segmented_control(key="sim_kind").set_value(simulation.RANDOM).run()
    return sound(at)


def simulate(at, **settings):
    """Fill in and submit the form."""
    if "network" in settings:
        at.selectbox(key="sim_network").set_value(settings.pop("network")).run()
    kind = "random" if at.segmented_control(key="sim_kind").value == simulation.RANDOM else "published"
    for name, value in settings.items():
        at.number_input(key=f"sim_{name}_{kind}" if name in ("n", "seed") else f"sim_{name}").set_value(value)
    return next(one for one in at.button if one.label == "Simulate rows").click().run()


@pytest.mark.deep
def test_simulated_network_brings_its_truth_and_kinds():
    """Levels written as numbers stay levels; the next run is compared with the network."""
    at = simulator()
    simulate(at, network="pigs", n=30)
    assert source(sound(at)).dataset.kind == "categorical"
    assert source(at).dataset.p == NETWORKS["pigs"].p
    simulate(at, network="cancer", n=3_000, seed=3)
    assert source(sound(at)).title == "cancer network, n = 3,000, seed 3"
    learn_now(at)
    assert figure(at, "SHD")


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("key", [key for key, one in NETWORKS.items() if one.p <= 1_000])
def test_every_published_network_can_be_drawn_from(key):
    """The rows have the network's levels or numbers, and the truth is its graph with all edges."""
    at = simulate(simulator(), network=key, n=50)
    here = source(sound(at))
    assert (here.table.n, here.table.p, here.truth.n_edges) == (50, NETWORKS[key].p, NETWORKS[key].n_edges)
    assert here.truth_names == here.table.names
    assert {column.kind for column in here.plan.columns} == {NETWORKS[key].kind}


@pytest.mark.deep
def test_random_gaussian_network_is_drawn():
    """The same seed gives the same rows, another seed different ones; the title contains all entries."""
    at = simulator("random")
    simulate(at, p=6, edges=7, n=200, seed=5)
    first = source(sound(at)).dataset
    assert source(at).title == "random network, p = 6, 7 edges expected, n = 200, seed 5"
    assert (first.kind, first.n, first.p) == ("continuous", 200, 6)
    simulate(at, seed=6)
    assert source(at).dataset.fingerprint != first.fingerprint
    simulate(at, seed=5)
    assert source(at).dataset.fingerprint == first.fingerprint


def test_title_of_a_simulation_is_its_recipe():
    """The title is enough to draw the same rows in Python."""
    at = simulate(simulator("random"), p=9, edges=12, n=150, seed=8)
    numbers = [int(number) for number in re.findall(r"\d+", source(sound(at)).title)]
    p, edges, n, seed = numbers
    again = sample(random_gaussian_network(p, edges, seed), n, seed)
    np.testing.assert_array_equal(source(at).dataset.values, again.values)


@pytest.mark.deep
def test_simulator_comes_with_entries_that_show_something():
    """The default entries simulate thirty variables that need no fix, with a result compared with the truth."""
    at = simulate(simulator("random"))
    here = source(sound(at))
    assert here.title == "random network, p = 30, 40 edges expected, n = 200, seed 1"
    assert here.findings == ()
    assert 25 <= here.truth.n_edges <= 55
    learn_now(at)
    assert figure(at, "SHD")
    assert figure(at, "edge")
    assert here.title in at.session_state["runs"][-1].title


@pytest.mark.deep
def test_entries_of_the_simulator_stay_when_another_page_is_visited():
    """A user who returns and enters only another seed gets a table of the same network and size."""
    at = simulator("random")
    simulate(at, p=12, edges=15, n=90, seed=4)
    go(go(at, "learn"), "data")
    assert source(sound(simulate(at, seed=5))).title == "random network, p = 12, 15 edges expected, n = 90, seed 5"


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("kind", "settings", "cause"),
    [
        ("published", {"network": "link", "n": 1_000_000}, "at most 10,000,000 cells"),
        ("random", {"p": 500, "edges": 700, "n": 900_000}, "enter up to 20,000 rows"),
        ("random", {"p": 4, "edges": 100}, "4 variables have at most 6 edges, got 100"),
        (
            "random",
            {"p": 100, "edges": 1_001},
            "at most 10 expected edges per variable, 1,000 for 100 variables, got 1,001",
        ),
        ("random", {"p": 1}, "number of variables must be 2 to 1,000, got 1"),
        ("random", {"p": 1_001}, "number of variables must be 2 to 1,000, got 1,001"),
        ("random", {"edges": -1}, "number of expected edges must be 0 to 435, got -1"),
        ("random", {"n": 9}, "number of rows must be 10 to 1,000,000, got 9"),
        ("published", {"n": -5}, "number of rows must be 10 to 1,000,000, got -5"),
        ("published", {"network": "cancer", "n": 1_000_001}, "got 1,000,001"),
        ("published", {"seed": -1}, "seed must be 0 to 2,147,483,647, got -1"),
        ("random", {"seed": 2**40}, "The seed must be"),
    ],
    ids=[
        "cells",
        "cells of a random one",
        "more edges than pairs",
        "too dense",
        "one variable",
        "too many variables",
        "negative edges",
        "few rows",
        "negative rows",
        "many rows",
        "negative seed",
        "large seed",
    ],
)
def test_simulation_out_of_range_is_a_sentence(kind, settings, cause):
    """Impossible or too large values are refused, and nothing is replaced."""
    at = simulator(kind)
    before = source(at)
    simulate(at, **settings)
    assert len(errors(sound(at))) == 1
    assert cause in errors(at)[0]
    assert source(at) is before
    assert plain(at.subheader[0].value) == f"Still in use: {before.title}"


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("p", "edges", "n"), [(2, 0, 10), (2, 1, 10), (1_000, 10_000, 10)], ids=["no edge", "one edge", "the most"]
)
def test_simulator_reaches_its_limits(p, edges, n):
    """The smallest and the largest allowed network are drawn like any other."""
    at = simulate(simulator("random"), p=p, edges=edges, n=n)
    assert errors(sound(at)) == []
    assert (source(at).table.n, source(at).table.p) == (n, p)


@pytest.mark.deep
def test_known_truth_and_its_table_can_be_taken_home():
    """A sample and a simulation offer the table and the truth for export; a table without a truth offers neither."""
    offered = {"data_home_table", "data_home_truth"}
    at = simulate(simulator("random"))
    assert offered <= {one.key for one in at.get("download_button")}
    at.segmented_control(key="data_way").set_value("Samples").run()
    press(at, "data_sample_letters")
    assert offered <= {one.key for one in sound(at).get("download_button")}
    press(at, "data_sample_wine")
    assert not offered & {one.key for one in sound(at).get("download_button")}


@pytest.mark.deep
def test_what_is_taken_home_can_be_brought_back():
    """Table and truth of a simulation, uploaded again, are the same data and the same graph."""
    at = simulate(simulator("random"), p=12, edges=15, n=60)
    here = source(sound(at))
    rows, edges = here.table.frame.to_csv(index=False).encode(), to_edge_csv(here.truth, here.truth_names).encode()
    at.segmented_control(key="data_way").set_value("Upload").run()
    give_truth(upload(at, rows), edges)
    assert source(sound(at)).dataset.fingerprint == here.dataset.fingerprint
    assert source(at).truth == here.truth


def give_truth(at, text, name="truth.csv"):
    """Upload a true graph."""
    return at.file_uploader(key="data_truth").set_value((name, text, "text/csv")).run()


def test_truth_is_held_against_runs_before_and_after():
    """An uploaded edge list appears in the metrics of the existing run and of the next."""
    at = go(learn_now(upload(open_app("data"), small_table())), "inspect")
    assert figure(at, "SHD") is None
    go(at, "data")
    give_truth(at, b"dag { a -> c <- b }", "truth.txt")
    assert any("for comparison" in one.label for one in sound(at).expander)
    go(at, "inspect")
    assert figure(sound(at), "SHD")
    finish_run(press(go(at, "learn"), "learn_run"))
    assert at.session_state["runs"][-1].truth is not None
    assert at.session_state["runs"][0].truth is not at.session_state["runs"][-1].truth


def test_truth_may_know_more_columns_if_they_have_no_edges():
    """An ID column is excluded from learning, and does not affect the comparison."""
    rows = [(f"case {k}", "xy"[k % 2], "uv"[k // 2 % 2], "pq"[k // 2 % 2 ^ (k % 9 == 0)]) for k in range(80)]
    at = upload(open_app("data"), table(rows, ("id", "a", "b", "c")))
    assert source(at).dataset.names == ("a", "b", "c")
    give_truth(at, b"from,to\nb,c\n")
    assert not any("other variables" in one.value for one in sound(at).warning)
    learn_now(at)
    assert figure(at, "SHD")


def test_truth_about_other_variables_is_said_to_be_useless():
    """A network with other names is accepted with a warning, but nothing is compared."""
    at = upload(open_app("data"), small_table())
    give_truth(at, NETWORKS["cancer"].path.read_bytes(), "cancer.bif.gz")
    assert any("lacks columns 'a', 'b' and 'c'" in plain(one.value) for one in sound(at).warning)
    learn_now(at)
    assert figure(at, "SHD") is None


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("t.csv", b"from,to\na,nobody\n", "'nobody'"),
        ("t.csv", b"x,y\n1,2\n", "'from'"),
        ("t.csv", b"from,to\na,b\nb,c\nc,a\n", "cycle"),
        ("t.bif", b"network {", ""),
        ("t.bif", NOISE, ""),
    ],
    ids=["unknown name", "no header", "cycle", "cut off", "binary"],
)
def test_truth_that_cannot_be_read_is_one_sentence(name, content, cause):
    """The message stays on screen as long as the file, and nothing else changes."""
    at = give_truth(upload(open_app("data"), small_table()), content, name)
    for _ in range(2):
        assert len(errors(sound(at))) == 1
        assert cause in errors(at)[0]
        at.run()
    assert source(at).truth is None
    at.file_uploader(key="data_truth").clear().run()
    assert errors(sound(at)) == []


def test_data_leads_on_to_learn():
    """The link to Learn appears once nothing blocks learning."""
    at = upload(open_app("data"), small_table())
    assert [link.label for link in at.get("page_link")] == ["Choose a method"]
    upload(at, BLOCKED["infinite"][0])
    assert not at.get("page_link")
    assert title(at) == "Data"


def test_header_and_names_of_an_upload_can_be_changed():
    """The file's lines are shown; changes of the header line and of the names take effect."""
    at = upload(open_app("data"), b"yes,no\na,b\n" + b"no,no\nyes,no\nno,yes\n" * 9, "odd.csv")
    assert "yes,no" in at.code[0].value
    at = sound(at.number_input(key="data_header").set_value(2).run())
    assert at.session_state.source.table.names == ("a", "b")
    at.session_state.data_names = ["x", "y"]
    assert sound(at.run()).session_state.source.table.names == ("x", "y")
    at.session_state.data_names = ["of", "other", "columns"]  # entered before the import options changed
    at = sound(at.run())
    assert (at.session_state.source.table.names, errors(at)) == (("a", "b"), [])


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("mechanism", ["mcar", "mar", "mnar"])
def test_simulated_mixed_tables_have_the_requested_missing_cells(mechanism):
    """The truth is included, the rows equal the library's, and the next run uses the same data set."""
    at = sound(simulator("random").segmented_control(key="sim_kind").set_value(simulation.BOTH).run())
    for name, value in {"p_both": 9, "edges_both": 10, "n_both": 300, "seed_both": 4, "missing_both": 25}.items():
        at.number_input(key=f"sim_{name}").set_value(value)
    at.selectbox(key="sim_mechanism_both").set_value(mechanism)
    sound(next(one for one in at.button if one.label == "Simulate rows").click().run())
    found = source(at)
    network = random_mixed_network(9, 10, seed=4)
    expected = with_missing_cells(sample(network, 300, seed=4), 0.25, mechanism, seed=4)
    assert found.truth == network.dag
    assert found.title.endswith(f"25% of the cells missing {simulation.MECHANISMS[mechanism]}")
    assert "with_holes(sample(random_mixed_network(9, 10, seed=4" in found.origin.text.replace("\n    ", "")
    dataset = prepare(found.table, found.plan).dataset
    assert (dataset.kinds, dataset.names) == (expected.kinds, expected.names)
    np.testing.assert_array_equal(dataset.values, expected.values)
    np.testing.assert_array_equal(dataset.incomplete, expected.incomplete)
    refused = {
        "missing_both": (91, "The share of missing cells in percent must be 0 to 90, got 91"),
        "levels": (1, "The number of levels must be 2 to 20, got 1"),
    }
    for name, (value, message) in refused.items():
        before = at.number_input(key=f"sim_{name}").value
        at.number_input(key=f"sim_{name}").set_value(value)
        sound(next(one for one in at.button if one.label == "Simulate rows").click().run())
        assert errors(at)[0].startswith(message)
        at.number_input(key=f"sim_{name}").set_value(before)


def test_the_order_of_levels_is_shown_and_changed():
    """Words show their order; another order can be entered, and an order can be removed."""
    rows = [[("low", "mid", "high")[k % 3], "xy"[k % 2], "uvw"[k % 5 % 3]] for k in range(90)]
    at = sound(upload(open_app("data"), table(rows)))
    assert source(at).dataset.ordered == ("a",)
    assert source(at).dataset.levels[0] == ("low", "mid", "high")
    box = next(one for one in at.text_input if one.label == "From the lowest to the highest")
    assert box.value == "low < mid < high"
    box.set_value("mid < low")
    apply = next(one for one in at.button if one.label == "Apply order")
    apply.click().run()
    assert any("List each of the 3 levels once" in text for text in errors(sound(at)))
    box = next(one for one in at.text_input if one.label == "From the lowest to the highest")
    box.set_value("mid < low < high")
    next(one for one in at.button if one.label == "Apply order").click().run()
    assert source(sound(at)).dataset.levels[0] == ("mid", "low", "high")
    next(one for one in at.toggle if one.label == "Levels have an order").set_value(False)
    next(one for one in at.button if one.label == "Apply order").click().run()
    assert source(sound(at)).dataset.ordered == ()


@pytest.mark.deep
def test_a_table_with_variables_in_rows_is_transposed_by_its_finding():
    """The finding has a button that reads the file again; the import option shows it, and the finding is gone."""
    at = upload(open_app("data"), (CASES / "genes_rows.csv").read_bytes())
    assert at.session_state["source"].table.n == 300
    at = sound(press(at, "data_transpose_file"))
    assert (at.session_state["source"].table.n, at.session_state["source"].table.p) == (60, 301)
    assert at.checkbox(key="data_transpose").value
    assert "data_transpose_file" not in [one.key for one in at.button]


@pytest.mark.deep
def test_a_table_of_few_rows_and_many_columns_may_be_transposed():
    """Three variables in rows, of 40 cases each; a small square table gets no such button."""
    rng = np.random.default_rng(5)
    rows = [[name, *rng.normal(size=40).round(2)] for name in ("age", "height", "weight")]
    at = sound(upload(open_app("data"), table(rows, ("name", *(f"s{k}" for k in range(40))))))
    assert any("If the 41 columns are cases" in text for text in errors(at))
    at = sound(press(at, "data_transpose_file"))
    assert (source(at).table.n, source(at).table.p) == (40, 4)
    at = sound(upload(open_app("data"), small_table(n=4)))
    assert "data_transpose_file" not in [one.key for one in at.button]


@pytest.mark.parametrize("where", ["read_table", "use_table"])
def test_a_file_whose_reading_was_interrupted_is_read_by_the_next_run(monkeypatch, where):
    """A click may stop the script while a file is read or put in use; the next run of the page uses the file."""
    at, usual = upload(open_app("data"), small_table(), "first.csv"), getattr(table_source, where)

    def interrupted(*_: object, **__: object) -> None:
        monkeypatch.setattr(table_source, where, usual)
        st.stop()

    monkeypatch.setattr(table_source, where, interrupted)
    at = upload(at, small_table(("x", "y", "z")), "second.csv")
    at = sound(at.run())
    assert at.session_state["source"].title == "second.csv"
    assert at.session_state["source"].table.names == ("x", "y", "z")


@pytest.mark.parametrize("total", [False, True])
def test_missing_value_codes_come_before_a_run(total):
    """While a number may be a code, the main button treats it as missing; assumptions are checked only when asked."""
    rng = np.random.default_rng(1)
    values = rng.normal(40.0, 5.0, (200, 3)).round(1)
    values[::40, 0] = -99.0
    if total:  # a finding that concerns more cells
        values[:, 2] = values[:, 1] + rng.normal(0.0, 0.05, 200).round(1) + 7.0
    at = upload(open_app("data"), pd.DataFrame(values, columns=["a", "b", "c"]).to_csv(index=False).encode())
    assert [plain(one.label) for one in at.button if one.proto.type == "primary"] == ["Treat '-99.0' as missing"]
    assert any("Decide about the missing-value codes first" in one.value for one in at.caption)
    assert "data_check_assumptions" in [one.key for one in at.button]
    at = sound(press(at, "data_fix_0_0"))
    assert "data_learn_now" in [one.key for one in at.button if one.proto.type == "primary"]
    assert not any("Decide about the missing-value codes first" in one.value for one in at.caption)
    assert "data_check_assumptions" not in [one.key for one in at.button]
