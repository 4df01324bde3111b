"""Files that the command line writes: graphs, rankings, calibrations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .common.errors import DataError, ParameterError
from .io.edge_csv import to_edge_csv, to_ranking_csv
from .io.interchange import to_dot, to_graphml, to_json
from .results.result import LearnResult, metadata, ranking_of
from .terminal import answer, say

if TYPE_CHECKING:
    from .averaging.calibration import OwnCalibration

WRITERS = {
    ".json": lambda result: to_json(result.graph, result.names, metadata(result)),
    ".csv": lambda result: to_edge_csv(
        result.graph, result.names, result.strengths, result.directions, result.information
    ),
    ".dot": lambda result: to_dot(result.graph, result.names),
    ".graphml": lambda result: to_graphml(result.graph, result.names, result.strengths),
}


def check_output(out: str | None) -> str:
    """The ending that says how the graph is written; where it has no place, that is said before the run."""
    suffix = Path(out).suffix.lower() if out else ".json"
    if suffix not in WRITERS:
        raise ParameterError(f"the output must end in {', '.join(WRITERS)}, got {suffix!r}; rename it")
    _check_folder(out)
    if not out:
        answer("")
    return suffix


def check_csv(what: str, path: str | None) -> None:
    """ParameterError where a table has no place, before the run."""
    if path and Path(path).suffix.lower() != ".csv":
        raise ParameterError(f"the {what} must end in .csv, got {Path(path).suffix!r}; rename it")
    _check_folder(path)


def _check_folder(path: str | None) -> None:
    if path and not Path(path).parent.is_dir():
        raise ParameterError(f"the folder of {path!r} does not exist; make it, or choose another")


def write_ranking(path: Path, result: LearnResult) -> None:
    """Write the pairs that a learner ranks; ParameterError if it ranks none."""
    ranking = ranking_of(result)
    if ranking is None:
        raise ParameterError(f"{result.method} ranks no pairs, so --ranking has nothing to write; leave it out")
    write_text(path, to_ranking_csv(ranking, result.names))


def write_calibration(path: Path, found: OwnCalibration) -> None:
    """Write a row for each bin that is not empty: mean of what was said, share that came true, and how many pairs."""
    told = zip(found.bins.said.tolist(), found.bins.came_true.tolist(), found.bins.n.tolist(), strict=True)
    rows = [f"{said!r},{came_true!r},{n}" for said, came_true, n in told if n]
    write_text(path, "\n".join(("said,came true,pairs", *rows, "")))
    say([f"calibration error {found.error:.4f}, Brier score {found.brier:.4f}, from {found.n_tables} tables"])


def write_text(path: Path, text: str) -> None:
    """Write a file; DataError if its place cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:  # which names no file where the disk is full
        raise DataError(f"file {str(path)!r} cannot be written ({error.strerror}); choose another place") from error
