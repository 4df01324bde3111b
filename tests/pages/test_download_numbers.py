"""Data files hold numbers at full precision; only pages, and reports for reading, round them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

from learners import load_network, sample
from learners.io.network_files import NETWORK_FORMATS
from tests.pages.driving import go, learn_now, open_app, sound, table, upload

MAX_ROUNDED = 6  # number of significant digits that a rounded number may have
MIN_NUMBERS = 3  # minimum number of different fractions by which a column can be judged
DATA_TYPES = ("csv", "json", "graphml")
CSV_KEYS = {"query_download", "query_drawn", "compare_download_edges", "compare_download_numbers"}
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


@pytest.mark.parametrize(
    ("make", "runs"),
    [
        (numbers_table, ("pc", "aracne")),
        pytest.param(levels_table, ("pc", "order_mcmc"), marks=pytest.mark.deep),
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
