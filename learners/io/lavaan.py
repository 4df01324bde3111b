"""Write a DAG as a model of lavaan, the R package for structural equation models."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from ..graphs.graph import PDAG, check_dag
from .declared import R_WORDS, identifiers
from .edges import check_names

MAX_ROOTS = 100  # maximum number of roots whose covariances are each set to 0 in a separate line


def to_lavaan(dag: PDAG, names: Sequence[str]) -> str:
    """Write a DAG in lavaan's syntax: regressions on parents, variances of roots, and no covariances.

    Parameters
    ----------
    dag : PDAG
    names : sequence of str
        Names that are not valid in R are replaced; comments list the originals.

    Raises
    ------
    ParameterError
        If `dag` is not a DAG, or nodes do not have distinct names.

    Examples
    --------
    >>> from learners import PDAG
    >>> print(to_lavaan(PDAG.from_edges(2, directed=[(0, 1)]), ["dose", "heart rate"]).strip().splitlines()[-2:])
    ['heart_rate ~ dose', 'dose ~~ dose']
    """
    check_names(dag, names)
    check_dag(dag)
    words = identifiers(names, R_WORDS)
    lines = ["# fit <- lavaan::lavaan(model, data, auto.var = TRUE, fixed.x = FALSE, meanstructure = TRUE)"]
    lines += [f"# {word}: {_one_line(name)}" for word, name in zip(words, names, strict=True) if word != name]
    roots = [j for j in range(dag.p) if not dag.parents(j)]
    lines += [f"{words[j]} ~ {' + '.join(words[i] for i in dag.parents(j))}" for j in range(dag.p) if j not in roots]
    lines += [f"{words[j]} ~~ {words[j]}" for j in roots]
    if len(roots) <= MAX_ROOTS:
        lines += [f"{words[i]} ~~ 0*{words[j]}" for i, j in combinations(roots, 2)]
    return "\n".join(lines) + "\n"


def _one_line(name: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", name)
