"""Output files of the command line: graphs, findings, rankings, calibrations, probabilities of causes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..common.errors import DataError, ParameterError
from ..common.sentences import FROM_TAIL, Count
from ..common.wording import ARROWS
from ..evaluation.calibrated_probabilities import edge_columns
from ..explaining.support import directed_graph
from ..io.edge_csv import to_edge_csv, to_pair_csv, to_ranking_csv
from ..io.interchange import to_dot, to_graphml, to_json
from ..results.result import LearnResult, metadata, ranking_of
from .terminal import answer, say

if TYPE_CHECKING:
    from ..data.quality.finding import Finding
    from ..families.averaging.calibration import OwnCalibration
    from ..verdict.trust import Trust

WRITERS = {
    ".json": lambda result: to_json(result.graph, result.names, metadata(result, edge_columns(result))),
    ".csv": lambda result: to_edge_csv(
        result.graph, result.names, result.strengths, result.directions, result.information, edge_columns(result)
    ),
    ".dot": lambda result: to_dot(directed_graph(result), result.names),
    ".graphml": lambda result: to_graphml(directed_graph(result), result.names, result.strengths),
}


PLAIN_NAME = re.compile(r"[^\s'\"=→←—↔]+")  # names that need no quotes in a line of an edge
OPEN_ENDS = {  # meanings of the signs between names, for the signs that need one
    "—: the data do not determine the direction": {"—"},
    "o: the data do not determine this end": {"o—o", "o→", "←o"},
    "↔: a hidden common cause": {"↔"},
}


def edge_lines(result: LearnResult) -> str:
    """Return the graph of a result as text: its size, a line for each edge, and the meaning of open ends."""
    graph, names = directed_graph(result), [name if PLAIN_NAME.fullmatch(name) else repr(name) for name in result.names]
    lines, signs = [], set()
    for i, j in graph.edges():
        mark = graph.mark(i, j)
        (a, b), mark = ((j, i), FROM_TAIL[mark]) if mark in FROM_TAIL else ((i, j), mark)
        signs.add(ARROWS[mark])
        lines.append(f"{names[a]} {ARROWS[mark]} {names[b]}")
    size = Count(len(lines), "edge").text(), Count(len(names), "variable").text()
    meanings = [meaning for meaning, marked in OPEN_ENDS.items() if signs & marked]
    return "".join(f"{line}\n" for line in (f"{size[0]} between {size[1]}", *lines, *meanings))


def check_output(out: str | None) -> str:
    """Return the extension of the output file; raise ParameterError, before the run, if it cannot be written."""
    suffix = Path(out).suffix.lower() if out else ".json"
    if suffix not in WRITERS:
        raise ParameterError(f"the output file must end in {', '.join(WRITERS)}, got {suffix!r}; rename it")
    _check_folder(out)
    if not out:
        answer("")
    return suffix


def check_file(what: str, path: str | None, *extensions: str) -> None:
    """Raise ParameterError, before the run, unless a file with one of the extensions can be written at this path."""
    if path and Path(path).suffix.lower() not in extensions:
        raise ParameterError(f"the {what} must end in {extensions[0]}, got {Path(path).suffix!r}; rename it")
    _check_folder(path)


def _check_folder(path: str | None) -> None:
    if path and not Path(path).parent.is_dir():
        raise ParameterError(f"the folder of {path!r} does not exist; create it or choose another one")


def write_findings(path: Path, findings: Sequence[Finding]) -> None:
    """Write the records of findings as JSON; `Finding.from_dict` reads each."""
    write_text(path, json.dumps([finding.to_dict() for finding in findings], ensure_ascii=False, indent=1) + "\n")


def write_ranking(path: Path, result: LearnResult) -> None:
    """Write the pairs that a learner ranks."""
    write_text(path, to_ranking_csv(ranking_of(result), result.names))


def write_calibration(path: Path, found: OwnCalibration) -> None:
    """Write one row for each non-empty bin: mean predicted probability, observed share, and number of pairs."""
    bins = zip(found.bins.said.tolist(), found.bins.came_true.tolist(), found.bins.n.tolist(), strict=True)
    rows = [f"{predicted!r},{came_true!r},{n}" for predicted, came_true, n in bins if n]
    write_text(path, "\n".join(("said,came true,pairs", *rows, "")))
    say([f"calibration error {found.error:.4f}, Brier score {found.brier:.4f}, from {found.n_tables} tables"])


def write_trust(path: Path, found: Trust, result: LearnResult) -> None:
    """Write one row for each ordered pair with a claim, and print sentences on the support of the arrows."""
    write_text(path, to_pair_csv(found.HEADS, found.rows()))
    say(found.sentences(result))


def write_text(path: Path, text: str) -> None:
    """Write a text file; raise DataError if it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:  # on a full disk, its message names no file
        raise DataError(f"file {str(path)!r} cannot be written ({error.strerror}); choose another path") from error
