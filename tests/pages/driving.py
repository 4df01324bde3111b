"""Helpers that drive the app as a user would: open, go to a page, upload, run, read the screen."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "start",
    "data",
    "learn",
    "inspect",
    "build",
    "query",
    "effects",
    "compare",
    "experiments",
    "projects",
    "lessons",
    "learn_more",
)


def as_on_our_server(start: Callable[..., None]) -> Callable[..., None]:
    """Patch `PagesManager.__init__` for a server that runs app.py instead of the files of `pages/`.

    AppTest would run those files.
    """

    def start_knowing(self: PagesManager, *args: object, **options: object) -> None:
        start(self, *args, **options)
        PagesManager.uses_pages_directory = False

    return start_knowing


def open_app(page: str | None = None, *, learner: str | None = "pc", **query: str) -> AppTest:
    """Open the app as a new visitor, by the address of the given page or by that of the start page.

    `learner` is chosen on the Learn page; None leaves it at the recommended one, which depends on the table.
    """
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.session_state["learner"] = learner
    for name, value in query.items():
        at.query_params[name] = value
    return at.run() if page is None else go(at, page)


def go(at: AppTest, page: str) -> AppTest:
    """Click another page in the menu."""
    at.switch_page(f"pages/{page}.py").run()
    at._page_hash = ""  # otherwise the next run returns to that page, even if the app has switched to another since
    return at


def upload(at: AppTest, data: bytes, name: str = "mine.csv") -> AppTest:
    """Upload a file on the Data page."""
    return at.file_uploader(key="data_file").set_value((name, data, "text/csv")).run()


def table(rows: Sequence[Sequence[object]], header: Sequence[str] = ("a", "b", "c")) -> bytes:
    """Return a CSV file as bytes."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([header, *rows])
    return text.getvalue().encode()


def small_table(header: Sequence[str] = ("a", "b", "c"), n: int = 80) -> bytes:
    """Return two coin flips and a noisy indicator that they differ: categorical columns that need no fix."""
    coins = [(k % 2, (k // 2) % 2) for k in range(n)]
    return table([[("no", "yes")[v] for v in (x, y, x ^ y ^ (k % 7 == 0))] for k, (x, y) in enumerate(coins)], header)


def press(at: AppTest, key: str) -> AppTest:
    """Click a button."""
    return at.button(key=key).click().run()


def finish_run(at: AppTest, seconds: float = 300.0) -> AppTest:
    """Wait until the current run has ended, and rerun to show its result, as the polling fragment does in a browser."""
    job = at.session_state["job"]
    assert job is None or job.wait(seconds), "the run did not end in time"
    return at.run()


def learn_now(at: AppTest) -> AppTest:
    """Press Run on the Learn page, going there first if another page is open, and wait for the result."""
    there = at if at.session_state["page"] == "learn" else go(at, "learn")
    return finish_run(press(there, "learn_run"))


def apply_fixes(at: AppTest, most: int = 5) -> AppTest:
    """Apply the first suggested fix until nothing blocks learning."""
    for _ in range(most):
        if at.session_state["source"].dataset is not None:
            return at
        press(at, "data_fix_0_0")
    raise AssertionError([error.value for error in at.error])


def edit(
    at: AppTest, key: str, *, rows: Mapping[int, Mapping[str, Any]] | None = None, added: Sequence = ()
) -> AppTest:
    """Type into the data editor whose key begins with `key`."""
    editor = next(one for one in at.data_editor if one.key and one.key.startswith(key))
    states = at._tree.get_widget_states()
    changes = {"edited_rows": dict(rows or {}), "added_rows": list(added), "deleted_rows": []}
    states.widgets.append(WidgetState(id=editor.proto.id, string_value=json.dumps(changes)))
    return at._run(states)


def click_row(at: AppTest, key: str, row: int) -> AppTest:
    """Click a row of the table whose key begins with `key`."""
    return _select(at, at.dataframe, key, {"rows": [row], "columns": [], "cells": []})


def click_point(at: AppTest, key: str, value: object) -> AppTest:
    """Click a point with this `customdata` in the chart whose key begins with `key`."""
    chosen = {"points": [{"customdata": value}], "point_indices": [0], "box": [], "lasso": []}
    return _select(at, at.get("plotly_chart"), key, chosen)


def _select(at: AppTest, elements: Iterable, key: str, selection: Mapping[str, Any]) -> AppTest:
    element = next(one for one in elements if f"-{key}" in one.proto.id)
    states = at._tree.get_widget_states()
    states.widgets.append(WidgetState(id=element.proto.id, string_value=json.dumps({"selection": selection})))
    return at._run(states)


def sound(at: AppTest) -> AppTest:
    """Return the same app, after asserting that it raised no exception."""
    assert not at.exception, [(one.value, one.stack_trace) for one in at.exception]
    return at


def title(at: AppTest) -> str:
    """Return the heading of the page on screen, which is empty for Inspect."""
    return at.title[0].value if at.title else ""


def plain(markdown: str) -> str:
    """Return escaped Markdown as a reader sees it."""
    unlinked = re.sub(r'\[([^\]]*)\]\(\S+ "[^"]*"\)', r"\1", markdown)
    return unlinked.replace("\\", "").replace("\u2060", "")


def unfold(at: AppTest) -> AppTest:
    """Open the panel that explains a pair on Inspect, if it is closed."""
    return press(at, "why_unfold") if "why_x" not in [one.key for one in at.selectbox] else at


def figure(at: AppTest, label: str) -> str | None:
    """Return a number from the line of numbers: for "SHD" the number after the label, for "edge" the one before it."""
    line = next((plain(one.value) for one in at.caption if re.match(r"[0-9,]+ edges? · ", one.value)), "")
    for cell in line.split(" · "):
        found = re.fullmatch(rf"{label} (\S+)|(\S+) {label}s?", cell)
        if found:
            return found[1] or found[2]
    return None


def errors(at: AppTest) -> list[str]:
    """Return the error messages on screen."""
    return [plain(one.value) for one in at.error]


def markup(at: AppTest) -> list[str]:
    """Return every text on screen that Streamlit reads as Markdown."""
    texts = []
    for kind in ("markdown", "caption", "error", "warning", "info", "success", "title", "header", "subheader"):
        texts += [one.value for one in at.get(kind)]
    for kind in ("button", "download_button", "toggle", "checkbox", "selectbox", "number_input", "metric", "expander"):
        texts += [one.label for one in at.get(kind)]
    for kind in ("button", "selectbox", "number_input", "toggle"):
        texts += [one.help for one in at.get(kind) if one.help]
    for one in at.get("progress"):
        texts.append(one.proto.text)
    for one in at.get("button_group"):
        texts += [option.content for option in one.proto.options]
    return texts
