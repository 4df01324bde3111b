"""Words of figures in German: every fixed text has an entry, and names stay as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from learners.evaluation.feature_calibration import Calibration
from viz.averaging.truth import calibration_chart
from viz.translation.figures import in_language, words
from viz.translation.sentences import translated

VIZ = Path(__file__).parents[3] / "viz"
FOLDERS = ("averaging", "brai", "cimap", "compare", "lmm", "phgs")
MODULES = sorted(
    path
    for path in [*VIZ.glob("*.py"), *(one for name in FOLDERS for one in (VIZ / name).glob("*.py"))]
    if "plotly" in path.read_text(encoding="utf-8")
)
SHOWN = {"title", "title_text", "name", "hovertemplate", "annotation_text"}  # arguments with fixed texts
FRAMES = {"_frame", "framed", "colour_bar"}  # functions whose arguments are titles
UNITS = {"LMM", "SHD", "mbit"}  # the same in both languages


def texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression can have, with 7 in place of values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.BinOp):
        for left in list(texts(node.left)) or ["7"]:
            yield from (left + right for right in list(texts(node.right)) or ["7"])


def fixed_texts(path: Path) -> Iterator[str]:
    """Yield the titles, names and hovers of a module's figures."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield from (text for word in node.keywords if word.arg in SHOWN for text in texts(word.value))
            if isinstance(node.func, ast.Name) and node.func.id in FRAMES:
                yield from (text for one in node.args for text in texts(one))


def lines(text: str) -> list[str]:
    """Return the lines of a text that have words."""
    parts = re.split(r"<br>|</?extra>", text)
    return [part for part in parts if set(re.findall(r"[A-Za-z]{3,}", re.sub(r"%{[^}]*}", "", part))) - UNITS]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(VIZ)))
def test_every_text_of_a_figure_has_an_entry(path):
    found = {line for text in fixed_texts(path) for line in lines(text)}
    assert [line for line in sorted(found) if translated(line, "de") == line] == []


def test_figures_are_written_in_german():
    some = Calibration(np.array([0.0, 0.5, 1.0]), np.array([0.2, 0.8]), np.array([0.1, 0.9]), np.array([40, 20]))
    figure, alt = calibration_chart(some, "this run")
    german = in_language(figure, "de")
    assert german.layout.xaxis.title.text == "angegebene Wahrscheinlichkeit"
    assert [trace.name for trace in german.data] == ["vollkommene Kalibrierung", "dieser Lauf"]
    assert german.data[1].hovertemplate.startswith("angegeben %{x:.3f}<br>beobachtet %{y:.3f}<br>%{customdata}")
    assert translated(alt, "de").startswith("40 Paare mit 0.20: beobachtet 0.10. 20 Paare mit 0.80")
    assert figure.layout.xaxis.title.text == "stated probability"  # the cached original is unchanged
    assert in_language(figure, "en") is figure


def test_names_stay_as_they_are():
    figure = go.Figure(go.Scatter(x=[0], y=[0], text=["smoke → lung"], name="smoke", hovertemplate="%{text}"))
    assert in_language(figure, "de") == figure
    assert words("smoke<br>rank 3", "de") == "smoke<br>Rang 3"
