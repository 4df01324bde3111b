"""Names and cells that contain markup, all the way through the app, shown as plain text."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.pages.driving import PAGES, apply_fixes, go, learn_now, markup, open_app, sound, table, unfold, upload
from tests.viz.cases import HOSTILE

LIVE = (
    r"<script",
    r"<a ",
    r"<b>",
    r"\]\(http",
    r":red\[",
    r"www\.evil",
    r"\*\*a\*\*",
    r"\$x",
    r"&lt;",
    r"`c",
    r"https://evil",
)


def live(text):
    """Return fragments of the hostile names that occur in `text` unescaped."""
    return [pattern for pattern in LIVE if re.search(rf"(?<!\\){pattern}", text)]


def hostile_table(kind):
    """Return a table with hostile column names; its cells are numbers, or hostile names of other columns."""
    rng = np.random.default_rng(0)
    if kind == "continuous":
        return table(np.cumsum(rng.normal(size=(120, len(HOSTILE))), axis=1).round(4), HOSTILE)
    codes = np.cumsum(rng.random((200, len(HOSTILE))) < 0.3, axis=1) % 2
    return table([[HOSTILE[(j + 1 + 5 * code) % len(HOSTILE)] for j, code in enumerate(row)] for row in codes], HOSTILE)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["categorical", "continuous"])
def test_hostile_names_go_all_the_way_as_text(kind):
    """Upload, fixes, run, every page, view and pair show no error and no markup from a name."""
    at = sound(upload(open_app("data"), hostile_table(kind), HOSTILE[0] + ".csv"))
    seen = markup(at)
    for column in range(0, len(HOSTILE), 3):
        next(box for box in at.selectbox if box.label == "Column").set_value(column).run()
        seen += markup(sound(at))
    apply_fixes(at)
    learn_now(sound(at))
    assert len(at.session_state["runs"]) == 2
    result = at.session_state["runs"][-1].result
    assert result.names == tuple(name.strip() for name in HOSTILE) or result.names == HOSTILE
    for view in ("Graph", "Network", "Matrix", "Table"):
        at.segmented_control(key="inspect_view").set_value(view).run()
        seen += markup(sound(at))
    for x, y in ((0, 1), (1, 2), (3, 5), (7, 8)):
        unfold(at).selectbox(key="why_x").set_value(x).run()
        at.selectbox(key="why_y").set_value(y).run()
        assert at.session_state["pair"] == (result.names[x], result.names[y])
        seen += markup(sound(at))
    for page in PAGES:
        seen += markup(sound(go(at, page)))
    assert [(text, live(text)) for text in seen if live(text)] == []


def test_long_names_with_the_same_beginning_are_distinguishable():
    """Choosing the second of two such names in a box selects the second, not the first."""
    names = ("x" * 199 + "a", "x" * 199 + "b", "c")
    coins = np.random.default_rng(0).integers(0, 2, (80, 3))
    at = upload(open_app("data"), table(coins, names))
    learn_now(at)
    unfold(at).selectbox(key="why_x").set_value(1).run()
    at.selectbox(key="why_y").set_value(2).run()
    assert at.session_state["pair"] == (names[1], "c")
    box = next(box for box in go(at, "data").selectbox if box.label == "Column")
    assert len(set(box.options)) == 3


@pytest.mark.parametrize(
    "data",
    [
        table([["x"] * 3] * 5, ("<b>a</b>", "<b>a</b>", "c")),
        b"<script>alert(1)</script>,b\n1,2\n3\n",
        table([[1, "**x**"]] * 20, ("a", "[b](http://evil.example)")),
    ],
    ids=["duplicate", "ragged", "constant"],
)
def test_messages_about_hostile_names_are_text(data):
    """Errors and blockers quote the columns without rendering them."""
    at = sound(upload(open_app("data"), data))
    assert at.error
    assert [text for text in markup(at) if live(text)] == []
