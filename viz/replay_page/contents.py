"""The contents of a replay file, as JSON-serializable data."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from learners.common.progress import Tick, check_cancelled, silent
from learners.common.version import __version__
from learners.data.dataset import Dataset
from learners.families.phgs.ppc import PartitionedEvidence
from learners.io.edge_csv import guarded
from learners.recipes.fingerprints import fingerprint_result
from learners.recipes.recipe import write_recipe
from learners.recipes.replay_file import Replay
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from learners.verdict.assumptions import check_assumptions

from ..graph_data import GraphViewData
from ..kinds import kind_of, layout_graph
from ..labels import parameter_texts, with_labels
from ..layout.positions import layout
from ..layout.seriation import alphabetical, seriate
from ..legend import caveat_of
from ..tables import TYPES
from ..text import as_sentence, count, format_number
from ..translation.sentences import LANGUAGES
from ..weak_evidence import always_determined, with_determined
from .explanations import MAX_PAIRS, explanation_packs, reason_packs
from .views import View, first_view, missing_modes, views_of

MAX_ROWS = 5_000  # maximum number of rows of a table
EDGES = "Edges"  # label of the table that follows the slider


def packs_of(
    replay: Replay, views: Sequence[View] | None, positions: np.ndarray | None, tick: Tick = silent
) -> dict[str, Mapping]:
    """Return the packs of the file by name; "page" is the one that is opened first.

    Raises `Stopped` if the tick cancels.
    """
    result = replay.result
    check_cancelled(tick, "drawing")
    if positions is None:
        positions = layout(layout_graph(result))
    views = views_of(replay, positions) if views is None else views
    unsaid = always_determined([result])
    views = [replace(view, data=with_determined(view.data, unsaid)) for view in views]
    explanations, tables = explanation_packs(result, replay.dataset, MAX_PAIRS, tick), _tables(result)
    reasons, n_differences = reason_packs(result, views, tick)
    page = {
        "title": title_of(replay),
        "lead": replay.summary,
        "names": result.names,
        "views": [{"label": view.label, "graph": named(view, k), "base": view.base} for k, view in enumerate(views)],
        "first": first_view(replay, views),
        "orders": orders_of(result),
        "types": TYPES,
        "tables": tables,
        "languages": LANGUAGES,
        "caveat": caveat_of(result.graph),
        "warnings": warnings_of(replay),
        "facts": facts_of(replay),
        "omitted": [*_omitted(replay, tables), *_omitted_steps(views, n_differences)],
        "recipe": write_recipe(replay.recipe) if replay.recipe is not None else "",
        "has_data": replay.include_data,
    }
    data = {"data": data_pack(replay.dataset)} if replay.include_data else {}
    return {"page": page, **explanations, **reasons, **data}


def title_of(replay: Replay) -> str:
    """Return the heading of the file."""
    return replay.title or LEARNERS[replay.result.method].label


def named(view: View, k: int) -> GraphViewData:
    """Return the picture of the k-th slider, as the page shows it."""
    return view.data | {"run": f"{k} {view.label}", "rules": False, "allow_pins": False}


def orders_of(result: LearnResult) -> dict[str, list[int]]:
    """Return the orders of the matrix by their labels."""
    clusters = kind_of(result).special_part(PartitionedEvidence, result)
    labels = None if clusters is None else clusters.labels
    return {
        "By cluster": seriate(result.graph, labels).tolist(),
        "As in the table": list(range(len(result.names))),
        "By name": alphabetical(result.names).tolist(),
    }


def _tables(result: LearnResult) -> list[dict[str, Any]]:
    """Return the tables of the run other than that of the edges, which follows the slider."""
    made = []
    for label, make in kind_of(result).tables.items():
        if label == EDGES:
            continue
        rows = make(result, result.graph)
        table = rows.make(np.arange(min(len(rows.i), MAX_ROWS)))
        made.append(table_pack(label, table, len(rows.i) - len(table)))
    return made


def table_pack(label: str, table: pd.DataFrame, omitted: int) -> dict[str, Any]:
    """Return a table of pairs, whose columns `i` and `j` are the indices of the variables.

    `omitted` is the number of further rows that the file lacks.
    """
    pairs, cells = table[["i", "j"]], table.drop(columns=["i", "j"])
    return {
        "label": label,
        "columns": list(cells.columns),
        "pairs": pairs.to_numpy().tolist(),
        "rows": [[_cell(value) for value in row] for row in cells.itertuples(index=False, name=None)],
        "omitted": omitted,
    }


def _cell(value: Any) -> str:
    return format_number(value) if isinstance(value, float) else str(value)


def warnings_of(replay: Replay) -> list[str]:
    """Return the warnings of the run, and the assumptions that its data violate."""
    result, learner = replay.result, LEARNERS[replay.result.method]
    against = () if replay.dataset is None else check_assumptions(replay.dataset, result).sentences(result.names)
    return [as_sentence(with_labels(warning, learner)) for warning in (*result.warnings, *against)]


def facts_of(replay: Replay) -> list[tuple[str, str]]:
    """Return the facts about the run: version, learner, parameters, data and hashes."""
    result, learner = replay.result, LEARNERS[replay.result.method]
    facts = [("Made with", f"Edgewise {__version__}"), ("Learner", f"{learner.label}: {learner.paper}")]
    facts += parameter_texts(result, replay.dataset)
    if result.use is not None:
        facts.append(("Data", as_sentence(result.use.sentence)))
    if replay.recipe is not None:
        table = replay.recipe.table
        facts += [("Table", f"{table.name}, {count(table.rows, 'row')}, {count(table.columns, 'column')}".strip(", "))]
        facts += [("SHA-256 of the table", table.sha256), ("Seed", str(replay.recipe.seed))]
    if replay.dataset is not None:
        facts.append(("SHA-256 of the data of the run", replay.dataset.fingerprint))
    if replay.recipe is None and replay.dataset is None:
        facts.append(("SHA-256 of the data", "unknown: the file was made from the result alone"))
    facts.append(("SHA-256 of the graph", fingerprint_result(result).graph))
    return facts


def _omitted_steps(views: Sequence[View], n_differences: int) -> list[str]:
    """Return sentences on omitted first steps of long runs, and on unexplained differences at other values."""
    omitted = []
    for view in views:
        skipped = view.data["steps"].get("offset", 0)
        if skipped > 1:  # some sliders count from 1
            omitted.append(f"The first {count(skipped, 'step')} of the slider “{view.label}” are not drawn.")
    if n_differences:
        omitted.append(f"{count(n_differences, 'difference')} at other values are not explained.")
    return omitted


def _omitted(replay: Replay, tables: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each part that the file omits."""
    result, omitted = replay.result, []
    n_pairs = len(result.names) * (len(result.names) - 1) // 2
    if n_pairs > MAX_PAIRS:
        omitted.append(
            f"{n_pairs - MAX_PAIRS:,} of {n_pairs:,} pairs are not explained: pairs without an edge that the run "
            "decided early, or not at all."
        )
    omitted += [f"The slider “{label}” is not included." for label in missing_modes(result)]
    for table in tables:
        if table["omitted"]:
            omitted.append(f"The table “{table['label']}” lacks its last {count(table['omitted'], 'row')}.")
    if replay.recipe is None:
        omitted.append("The recipe of the run is not included.")
    if not replay.include_data:
        omitted.append("The rows of the data are not included.")
    return omitted


def data_pack(dataset: Dataset) -> dict[str, str]:
    """Return the columns that the run used as the text of a CSV file, guarded against formulas.

    Weights of the rows follow as a last column without a name.
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([guarded(name) for name in dataset.names] + ([] if dataset.weights is None else [""]))
    columns = [_cells(dataset, j) for j in range(dataset.p)]
    columns += [] if dataset.weights is None else [map(repr, dataset.weights.tolist())]
    writer.writerows(zip(*columns, strict=True))
    return {"csv": target.getvalue()}


def _cells(dataset: Dataset, j: int) -> Iterator[str]:
    """Yield the cells of a column as text; a missing cell is empty."""
    place = dataset.place[j]
    values = dataset.codes[place] if dataset.kinds[j] == "categorical" else dataset.values[:, place]
    levels = dataset.levels[place] if dataset.kinds[j] == "categorical" else None
    for value, there in zip(values.tolist(), dataset.is_there(j).tolist(), strict=True):
        yield "" if not there else repr(value) if levels is None else guarded(levels[value])
