"""Caveats about the evidence on a pair: missing cells, too few rows, and tests without degrees of freedom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.sentences import Caveat, Count, Listed, Node, Nodes, Sentence, caveat, p_of, say
from ..results.events import Event
from ..results.result import LearnResult
from .pair import clearest, separations

if TYPE_CHECKING:
    from ..data.dataset import Dataset


def completed_sentences(result: LearnResult, x: int, y: int, dataset: Dataset | None) -> list[Sentence]:
    """Return sentences on missing cells of two variables; none if no cell of theirs was completed."""
    completed = result.completed
    if completed is None or not completed.missing[[x, y]].any():
        return []
    found = []
    if dataset is not None:
        both = int((dataset.is_there(x) & dataset.is_there(y)).sum())
        text = (
            "Both are observed in {both} of {rows}; missing cells were imputed."
            if completed.imputed
            else "Both are observed in {both} of {rows}, which give the mutual information. Tests and scores use "
            "correlations that EM estimates from all rows, without filling in cells."
        )
        found.append(say(text, both=both, rows=Count(dataset.n_rows, "row")))
    if completed.adjacent is not None:
        m = completed.networks
        k = round(float(completed.adjacent[x, y]) * m)
        found.append(say("This edge is in {k} of {m} learned for the imputation.", m=Count(m, "network"), k=k))
    found.append(
        caveat(
            "Imputation assumes that missingness depends only on observed cells (missing at random). The data "
            "cannot verify it."
            if completed.imputed
            else "EM assumes that missingness depends only on observed cells (missing at random). The data cannot "
            "verify it."
        )
    )
    return found


def few_rows_sentences(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[Sentence]:
    """Return a caveat if each test that separated x and y had too few rows."""
    from ..results.few_rows import UNDONE, few_row_pairs

    if (min(x, y), max(x, y)) not in few_row_pairs(result):
        return []
    last = clearest(separations(events))
    return [] if last is None or last.rule in UNDONE else [_too_few(result, last)]


def _too_few(result: LearnResult, event: Event) -> Caveat:
    n = result.rows.n
    lead = say(
        "{rows} is too few for this test" if n == 1 else "{rows} are too few for this test", rows=Count(n, "row")
    )
    if result.rows.arity is None:
        return caveat(
            "{lead}: conditioning on {variables} leaves almost no degrees of freedom.",
            lead=lead,
            variables=Count(len(event.cond), "variable"),
        )
    return caveat(
        "{lead}: it has {outrun}, so p = {p} is no evidence of independence.",
        lead=lead,
        outrun=say("{dof} degrees of freedom", dof=round(event.dof))
        if event.dof > n
        else say("a table with more cells than rows"),
        p=p_of(event.log_p),
    )


def without_freedom(removal: Event, dataset: Dataset | None) -> Caveat:
    """Explain a test without degrees of freedom, and name the variable that the set determines."""
    pair = [k for k in (removal.i, removal.j) if dataset is not None and _is_determined(dataset, k, removal.cond)]
    within = say("Within the groups of {set}", set=Nodes(removal.cond)) if removal.cond else say("In these rows")
    verb = {0: "one of the two does not vary", 1: "{which} does not vary", 2: "{which} do not vary"}[len(pair)]
    which = Listed([Node(k) for k in pair], " and ")
    return caveat(
        "{within}, {fixed} (dof 0), so this test is uninformative.",
        within=within,
        fixed=say(verb, which=which),
    )


def _is_determined(dataset: Dataset, k: int, cond: Sequence[int]) -> bool:
    """Return True if column k has one level in each group of `cond`, all of them categorical."""
    if any(dataset.kinds[j] != "categorical" for j in (k, *cond)):
        return False
    dataset, k, cond = dataset.available((k, *cond)), 0, range(1, 1 + len(cond))
    group = np.zeros(dataset.n_rows, dtype=np.int64)
    for c in cond:
        # Renumbered at each variable, because many levels of many variables would overflow.
        group = np.unique(group * int(dataset.arity[c]) + dataset.codes[c], return_inverse=True)[1]
    groups = int(group.max(initial=0)) + 1
    first = np.zeros(groups, dtype=np.int64)
    first[group] = dataset.codes[k]  # an arbitrary row of the group
    return bool((first[group] == dataset.codes[k]).all())
