"""Probabilities in lesson text, such as ``P(test | disease = yes): positive 0.9, negative 0.1``, and questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from ...graphs.graph import PDAG
from ...networks.network import DiscreteNetwork
from .lesson import LessonError

TABLE_ROW = re.compile(r"^P\((?P<name>[^|()]+?)(?: \| (?P<given>[^()]+))?\): (?P<row>.+)$")
DO = re.compile(r"do\(([^()]*)\)")
Values = Mapping[str, str]  # level by variable


@dataclass(frozen=True)
class ProbabilityQuestion:
    """The probability of an event, given observed values and values that are set (do)."""

    event: Values
    seen: Values
    done: Values


def is_table_row(line: str) -> bool:
    """Return True if a line of a graph gives the probabilities of a variable."""
    return line.startswith("P(")


def read_tables(lines: Sequence[str], dag: PDAG, names: tuple[str, ...]) -> DiscreteNetwork:
    """Parse the probabilities of all variables of a DAG; each line has one row of one table.

    Raises
    ------
    LessonError
        If a line has another form, a row is missing or given twice, or its conditions are not the parents.
    DataError
        If a row does not sum to 1.
    """
    rows: dict[str, dict[frozenset, list[tuple[str, float]]]] = {name: {} for name in names}
    for line in lines:
        found = TABLE_ROW.match(line)
        if found is None or found["name"] not in rows:
            raise LessonError(f'probabilities look like "P(a | b = yes): yes 0.9, no 0.1", got "{line[:80]}"')
        of_variable, case = rows[found["name"]], frozenset(values_of(found["given"] or "").items())
        if case in of_variable:
            raise LessonError(f'"{line[:80]}" is given twice')
        of_variable[case] = [_level(part) for part in found["row"].split(",")]
    if missing := [name for name in names if not rows[name]]:
        raise LessonError(f"probabilities of {missing[0]} are missing")
    levels = {name: tuple(level for level, _ in next(iter(rows[name].values()))) for name in names}
    tables = tuple(_table(rows[name], j, dag, names, levels) for j, name in enumerate(names))
    return DiscreteNetwork(names, tuple(levels[name] for name in names), dag, tables)


def _level(part: str) -> tuple[str, float]:
    level, _, share = part.strip().rpartition(" ")
    try:
        return level, float(share)
    except ValueError:
        raise LessonError(f'expected a level and its probability, as in "yes 0.9", got "{part.strip()[:80]}"') from None


def _table(
    rows: dict[frozenset, list[tuple[str, float]]], j: int, dag: PDAG, names: tuple[str, ...], levels: dict
) -> np.ndarray:
    """Return the table of node j, with its rows in the order of a network."""
    parents = [names[k] for k in sorted(dag.parents(j))]
    table = []
    for case in product(*(levels[name] for name in parents)):
        row = rows.pop(key := frozenset(zip(parents, case, strict=True)), None)
        if row is None or tuple(level for level, _ in row) != levels[names[j]]:
            given = ", ".join(f"{name} = {level}" for name, level in sorted(key))
            raise LessonError(f"P({names[j]}{f' | {given}' if given else ''}) needs {', '.join(levels[names[j]])}")
        table.append([share for _, share in row])
    if rows:
        raise LessonError(f"P({names[j]} | ...) has a condition that is no case of its parents {', '.join(parents)}")
    return np.array(table)


def values_of(text: str) -> dict[str, str]:
    """Parse values such as ``disease = yes, sex = male``."""
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, level = (word.strip() for word in part.partition("="))
        if not (name and equals and level):
            raise LessonError(f'expected a variable and its value, as in "test = positive", got "{part[:80]}"')
        found[name] = level
    return found


def read_probability(about: str, network: DiscreteNetwork) -> ProbabilityQuestion:
    """Parse a question such as ``recovered = yes | do(drug = yes), sex = male``.

    Raises
    ------
    LessonError
        If it has another form, or names a value that the network does not have.
    """
    event, _, given = about.partition("|")
    done = {name: level for inside in DO.findall(given) for name, level in values_of(inside).items()}
    question = ProbabilityQuestion(values_of(event), values_of(DO.sub("", given)), done)
    for values in (question.event, question.seen, question.done):
        for name, level in values.items():
            if name not in network.names or level not in network.levels[network.names.index(name)]:
                raise LessonError(f'the graph has no variable and value "{name} = {level}"')
    if len(question.event) != 1:
        raise LessonError(f'expected the probability of one value, as in "a = yes | b = no", got "{about[:80]}"')
    return question


def probability(network: DiscreteNetwork, values: Values) -> float:
    """Return the probability of some values, summed over all others; for networks of a few variables."""
    known = {network.names.index(name): level for name, level in values.items()}
    states = [
        [network.levels[j].index(known[j])] if j in known else range(len(levels))
        for j, levels in enumerate(network.levels)
    ]
    parents = [sorted(network.dag.parents(j)) for j in range(len(network.names))]
    shape = [tuple(len(network.levels[k]) for k in some) for some in parents]
    found = sum(
        prod(
            network.cpts[j][
                int(np.ravel_multi_index([case[k] for k in parents[j]], shape[j])) if parents[j] else 0, state
            ]
            for j, state in enumerate(case)
        )
        for case in product(*states)
    )
    return float(found)
