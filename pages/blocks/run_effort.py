"""The effort of a run: tests, scores and seconds."""

from __future__ import annotations

from pages.session.state import Run
from viz.text import count, format_seconds

Numbers = list[tuple[str, str]]  # a number with its noun, and its meaning


def effort(run: Run) -> Numbers:
    """Return the effort of a run with its meaning, the time last."""
    result, cells = run.result, []
    if result.n_tests or not result.n_scores:
        cells.append((count(result.n_tests, "test"), "independence tests of the whole run"))
    if result.n_scores:
        cells.append((count(result.n_scores, "score"), "local scores of the whole run"))
    return [*cells, (format_seconds(result.seconds), "wall-clock time of the whole run")]
