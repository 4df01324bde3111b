"""The effort of a run: tests, scores and seconds."""

from __future__ import annotations

from pages.session.state import Run
from pages.session.words import counted, t
from viz.text import format_seconds

Numbers = list[tuple[str, str]]  # a number with its noun, and its meaning


def effort(run: Run) -> Numbers:
    """Return the effort of a run with its meaning, the time last."""
    result, cells = run.result, []
    if result.n_tests or not result.n_scores:
        cells.append((counted(result.n_tests, "test"), t("independence tests of the whole run")))
    if result.n_scores:
        cells.append(
            (
                counted(result.n_scores, "local score"),
                t("scores of a variable given its parents"),
            )
        )
    return [*cells, (format_seconds(result.seconds), t("wall-clock time of the whole run"))]
