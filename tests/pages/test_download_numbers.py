"""Data files hold numbers at full precision; only pages, and reports for reading, round them."""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from learners import load_network, sample
from learners.io.network_files import NETWORK_FORMATS
from pages.session import data_frame
from pages.session.data_frame import AS_SHOWN, has_rounded_words, is_rounded_word
from tests.pages.driving import go, learn_now, open_app, sound, table, upload
from viz.tables import separated_rows

MAX_ROUNDED = 6  # number of significant digits that a rounded number may have
MIN_NUMBERS = 3  # minimum number of different fractions by which a column can be judged
DATA_TYPES = ("csv", "json", "graphml")
CSV_KEYS = {"query_download", "query_drawn", "compare_download_edges", "compare_download_numbers"}
ROOT = Path(__file__).parents[2]
NETWORK_KEYS = {"download_network"}


def digits(number: str) -> int:
    """Return the number of significant digits of a written number."""
    return len(re.sub("e.*|[-.]", "", number.lower()).lstrip("0"))


def is_fraction(cell: object) -> bool:
    """Return True if a cell holds a number that is not whole."""
    try:
        value = float(str(cell))
    except ValueError:
        return False
    return np.isfinite(value) and value != round(value)


def rounded(cells: Iterable[object]) -> list[str]:
    """Return the fractions of a column if there are several and all of them are rounded."""
    found = sorted({str(cell) for cell in cells if is_fraction(cell)})
    return found if len(found) >= MIN_NUMBERS and all(digits(cell) <= MAX_ROUNDED for cell in found) else []


def columns_of(name: str, text: str) -> Mapping[str, list[object]]:
    """Return the numbers of a file by column, by the path in a JSON file, or by the key in GraphML."""
    columns: dict[str, list[object]] = {}
    if name.endswith("csv"):
        head, *rows = csv.reader(io.StringIO(text))
        return {one: [row[k] for row in rows] for k, one in enumerate(head)}
    if name == "network":
        return {"": re.findall(r"(?<![\w.])-?[0-9]*\.[0-9]+(?:e-?[0-9]+)?(?![\w.])", text)}
    if name.endswith("graphml"):
        for key, value in re.findall(r'<data key="(\w+)">([^<]*)</data>', text):
            columns.setdefault(key, []).append(value)
        return columns

    def walk(path: str, value: object) -> None:
        if isinstance(value, dict):
            for key, part in value.items():
                walk(f"{path}.{key}", part)
        elif isinstance(value, list):
            for part in value:
                walk(path, part)
        else:
            columns.setdefault(path, []).append(value)

    walk("", json.loads(text))
    return columns


def data_type(key: str, label: str) -> str:
    """Return the type of a data file; empty for reports, pages and code."""
    if key in NETWORK_KEYS:
        return "network"
    return next((kind for kind in DATA_TYPES if kind in f"{key} {label}".lower()), "csv" if key in CSV_KEYS else "")


def numbers_table() -> bytes:
    """Return a table of six numbers whose relations are of different strength."""
    data = sample(load_network("gauss30"), 400, seed=7)
    names = list(data.names[:8])
    return table([[repr(float(x)) for x in row] for row in data.values[:, :8]], names)


def levels_table() -> bytes:
    """Return a table of eight columns with levels."""
    return sample(load_network("asia"), 400, seed=7).to_frame().to_csv(index=False).encode()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("make", "runs"),
    [
        (numbers_table, ("pc", "aracne")),
        (levels_table, ("pc", "order_mcmc")),
    ],
)
def test_every_download_holds_its_numbers_at_full_precision(files, make, runs):
    """No column of any data file of any page has only numbers of few digits."""
    at = upload(open_app("data", learner=runs[0]), make(), "mine.csv")
    for learner in runs:
        at.session_state["learner"] = learner
        at = sound(learn_now(at))
    at = sound(go(at, "inspect"))
    if make is levels_table:
        for form in NETWORK_FORMATS:
            sound(at.selectbox(key="download_network_form").set_value(form).run())
    for page in ("data", "compare", "query", "effects", "inspect"):
        at = sound(go(at, page))
    made = {}
    for (key, label), data in files.items():
        if kind := data_type(key, label):
            text = data() if callable(data) else data
            made[key, label, kind] = text if isinstance(text, str) else text.decode("utf-8", "replace")
    assert {"download_csv", "download_json", "download_graphml", "query_download"} <= {key for key, *_ in made}
    assert "compare_download_numbers" in {key for key, *_ in made}
    found = {
        (key, label, column): cells[:4]
        for (key, label, kind), text in made.items()
        for column, values in columns_of(kind, text).items()
        if (cells := rounded(values))
    }
    assert not found


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("2.4e-06", True),
        ("< 0.001", True),
        ("1e-512", True),
        ("[0.12, 0.5]", True),
        ("12.1 ± 0.3", True),
        ("0,25", True),
        ("5", False),
        ("Q1.10", False),
        ("smoke", False),
        ("{a, b}", False),
        ("", False),
        (0.25, False),
        (None, False),
    ],
)
def test_rounded_words_are_numbers_only(cell, expected):
    assert is_rounded_word(cell) == expected


@pytest.mark.deep
def test_pages_show_tables_only_by_the_function_that_hides_the_button_of_rounded_ones():
    """The button of `st.dataframe` writes cells as shown, so no page calls it directly."""
    direct = [
        (path.name, node.lineno)
        for path in (*(ROOT / "pages").rglob("*.py"), *(ROOT / "viz").rglob("*.py"), ROOT / "app.py")
        if path.name != "data_frame.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("dataframe", "table") and ast.unparse(node.value) == "st"
    ]
    assert not direct
    assert 'button[aria-label^="Download as CSV"]' in (ROOT / "viz" / "page.css").read_text(encoding="utf-8")


CHOICES = {  # page: segmented controls that lead to further tables
    "data": {},
    "compare": {},
    "effects": {"effects_view": ("Effect",)},
    "inspect": {"inspect_view": ("Table",), "inspect_rows": ("Separated pairs", "Edges")},
}


OTHERS = ("boss", "lmm", "path", "cimap", "order_mcmc", "brai")


@pytest.mark.deep
@pytest.mark.parametrize("learner", ["pc", *OTHERS])
def test_tables_on_pages_have_their_numbers_at_full_precision(monkeypatch, learner):
    """Only the formats of columns round numbers, for every table of the pages."""
    shown = []
    monkeypatch.setattr(data_frame, "has_rounded_words", lambda frame: shown.append(frame) or has_rounded_words(frame))
    at = learn_now(upload(open_app("data", learner=learner), levels_table(), "mine.csv"))
    for page, choices in CHOICES.items():
        at = sound(go(at, page))
        for key, options in choices.items():
            for option in options:
                if key in {one.key for one in at.segmented_control}:
                    at = sound(at.segmented_control(key=key).set_value(option).run())
    assert {"type", "direction"} <= {name for frame in shown for name in frame.columns}  # the table of edges
    found = {
        name
        for frame in shown
        for name in frame.columns
        if pd.api.types.is_float_dtype(frame[name].dtype) and rounded(map(repr, frame[name].tolist()))
    }
    assert not found


def test_only_rounded_words_hide_the_button():
    """The container that hides the button is there exactly for words of numbers."""
    script = """
import pandas as pd
from pages.session import data_frame
from pages.session.data_frame import show_table
show_table(pd.DataFrame({"p": ["2.4e-06"]}), alt="words", key="words")
show_table(pd.DataFrame({"p": [2.4e-06]}), alt="numbers", key="numbers")
"""
    at = AppTest.from_string(script).run()
    (hidden,) = (block for block in at.main.children.values() if AS_SHOWN in str(block.proto))
    assert [len(hidden.children), len(at.dataframe)] == [1, 2]


def test_separated_pairs_are_downloaded_with_the_logarithm_of_their_p(files):
    """The file has all pairs and every digit; ln p is there even where p is too small for a number."""
    at = sound(go(learn_now(upload(open_app("data", learner="pc"), levels_table(), "mine.csv")), "inspect"))
    result = at.session_state["runs"][at.session_state["current"]].result
    text = next(data() for (key, _), data in files.items() if key == "download_separated_csv")
    table = pd.read_csv(io.StringIO(text))
    assert len(table) == len(separated_rows(result).i)
    events = {frozenset((result.names[e.i], result.names[e.j])): e for e in result.trace if not math.isnan(e.log_p)}
    for x, y, p, log_p in zip(table["x"], table["y"], table["p"], table["ln p"], strict=True):
        assert log_p == events[frozenset((x, y))].log_p
        assert p == pytest.approx(math.exp(log_p))
