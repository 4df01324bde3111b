"""Prediction of one variable for a table of cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...common.checks import check_type
from ...common.errors import DataError, ParameterError
from ...common.wording import quoted
from .evidence import Evidence, ImpossibleEvidence, States, checked_evidence


def predictions(answers: Any, names: Sequence[str], states: States, rows: pd.DataFrame, j: int) -> pd.DataFrame:
    """Predict as `Queries.predict`; identical rows are computed once."""
    check_type("rows", rows, pd.DataFrame, "a data frame")
    used = [name for name in rows.columns if name in names and name != names[j]]
    if not used:
        raise DataError(
            f"the table needs a column of the network other than {quoted([names[j]])}, found "
            f"{quoted(map(str, rows.columns))}; "
            "name its columns like the network's variables"
        )
    known: dict[tuple, list] = {}
    found = []
    cells = rows[used].astype(object).to_numpy()
    for number, row in enumerate(cells):
        evidence = _evidence_of(names, states, dict(zip(used, row, strict=True)), number)
        key = tuple(sorted(evidence.known.items()))
        if key not in known:
            known[key] = _answer(answers, evidence, j, len(states[j]))
        found.append(known[key])
    return _frame(found, names[j], states[j], rows.index)


def _evidence_of(names: Sequence[str], states: States, row: dict, number: int) -> Evidence:
    try:
        return checked_evidence(names, states, row)
    except ParameterError as error:
        raise ParameterError(f"row {number + 1:,}: {error}") from None


def _answer(answers: Any, evidence: Evidence, j: int, r: int) -> list[float]:
    try:
        found = answers.distribution(evidence, j)
    except ImpossibleEvidence:
        return [math.nan] * (r or 2)
    return list(found) if r else [found.mean, math.sqrt(found.variance)]


def _frame(found: list[list[float]], name: str, levels: tuple[str, ...], index: pd.Index) -> pd.DataFrame:
    if not levels:
        return pd.DataFrame(found, columns=["mean", "sd"], index=index)
    chances = np.array(found).reshape(len(found), len(levels))
    best = [levels[int(row.argmax())] if not np.isnan(row).any() else None for row in chances]
    frame = pd.DataFrame(chances, columns=[f"P({level})" for level in levels], index=index)
    frame.insert(0, name, pd.Series(best, index=index, dtype="str"))
    return frame
