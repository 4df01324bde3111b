"""Tests of singular and plural: no page says "1 pairs" or "all 2"."""

from __future__ import annotations

import re

import pytest

from tests.pages.driving import AppTest, go, learn_now, markup, open_app, plain, press, sound, table, upload
from tests.viz.test_words import WRONG_NUMBER

ROWS = 60
WRONG = re.compile(rf"{WRONG_NUMBER.pattern}|\b[Aa]ll 2 |\b[01] (?:is|are) are\b|\b1 are\b")


def chain(n_edges: int, kind: str) -> bytes:
    """Return columns with the given number of dependent pairs in a chain; the second pair adds a third column."""
    cells = []
    for k in range(ROWS):
        a, c = k % 2, k // 2 % 2
        b = a ^ (k % 9 == 0) if n_edges else k // 4 % 2
        c = b ^ (k % 7 == 0) if n_edges == 2 else c
        row = (a, b, c) if n_edges == 2 else (a, b)
        cells.append([("no", "yes")[v] if kind == "categorical" else f"{v + 0.1 * (k * p % 11):.2f}" for p, v in
                      enumerate(row, 3)])  # fmt: skip
    return table(cells, ("first", "second", "third")[: len(cells[0])])


def texts(at: AppTest) -> list[str]:
    """Return every text on screen, including cells of tables."""
    shown = [plain(one) for one in markup(sound(at))]
    for frame in at.dataframe:
        shown += [str(cell) for cell in frame.value.to_numpy().ravel()]
    return shown


def choose(at: AppTest, learner: str) -> None:
    """Choose the learner of the next run."""
    go(at, "learn")
    if f"learn_choose_{learner}" in [one.key for one in at.button]:
        press(at, f"learn_choose_{learner}")


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("n_edges", [0, 1, 2])
@pytest.mark.parametrize(
    ("learner", "kind"),
    [("pc", "categorical"), ("ges", "continuous"), ("hpc", "categorical"), ("brai", "categorical"),
     ("lmm", "continuous"), ("phgs", "categorical"), ("cimap", "categorical"), ("bootstrap", "categorical")],
)  # fmt: skip
def test_pages_are_right_in_number(learner, kind, n_edges):
    """Every page uses correct numbers with tables and graphs of zero, one or two items."""
    at = upload(open_app("data"), chain(n_edges, kind), "few.csv")
    actual = {"data": texts(at)}
    choose(at, learner)
    actual["learn"] = texts(at)
    learn_now(at)
    for view in ("Graph", "Matrix", "Table"):
        at.segmented_control(key="inspect_view").set_value(view).run()
        actual[f"inspect {view}"] = texts(at)
    at.session_state["pair"] = ("first", "second")
    actual["inspect a pair"] = texts(at.run())
    press(at, "inspect_pin")
    for page in ("start", "compare", "experiments"):
        actual[page] = texts(go(at, page))
    assert {page: [one for one in shown if WRONG.search(one)] for page, shown in actual.items()} == dict.fromkeys(
        actual, []
    )
