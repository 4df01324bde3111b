"""The labels that benchmarks click in the app are labels of its pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from viz.translation.sentences import catalog

FOLDER = Path(__file__).parents[2] / "benchmarks" / "app"
ASKED = re.compile(r'get_by_role\("(button|radio|combobox|link)", name=([^)]*)\)')


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_benchmark_clicks_only_what_the_app_shows(path):
    """Each name of a button, choice or link is a text of the app, which has a German translation."""
    asked = ASKED.findall(path.read_text(encoding="utf-8"))
    names = {name for _, given in asked for name in re.findall(r'"([^"]+)"', given)}
    assert names <= set(catalog("de"))


def test_benchmarks_click_labels():
    """The pattern finds the labels of benchmarks that drive the app."""
    assert sum(len(ASKED.findall(path.read_text(encoding="utf-8"))) for path in FOLDER.glob("*.py")) > 9
