"""Graphs in lesson text, such as ``rain -> wet <- sprinkler``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, isfinite

import numpy as np

from ...common.wording import quoted
from ...graphs.graph import PDAG
from ...io.edges import check_acyclic
from .lesson import LessonError, LessonGraph
from .probability_syntax import is_table_row, read_tables

EDGE = re.compile(r"(->|<-|--)")
STRAY = re.compile(r"^[>-]|<$")  # the rest of another arrow, such as <->
MARKS = {"->": "directed", "<-": "directed", "--": "undirected"}


def read_graph(lines: Sequence[str]) -> LessonGraph:
    """Parse the lines of a graph.

    Examples are ``a -> b <- c``, ``a -- b``, ``a -> b : 0.5`` (its weight), ``given: b``, ``hidden: c``, and a row of
    probabilities, ``P(b | a = yes): yes 0.9, no 0.1``.

    Raises
    ------
    LessonError
        If a line has another form, an edge joins a variable to itself, or a pair has two edges.
    DataError
        If arrows form a cycle.
    """
    marked, edges, names = {"given": (), "hidden": ()}, [], {}
    rows = [line for line in lines if is_table_row(line)]
    for line in lines:
        if is_table_row(line):
            continue
        word, colon, some = line.partition(":")
        if colon and word in marked:
            marked[word] = split_names(some)
            continue
        path, _, weight = line.partition(" : ")
        nodes, marks = _path(path)
        for node in nodes:
            names.setdefault(node, len(names))
        edges += [
            (names[b], names[a], mark, weight) if mark == "<-" else (names[a], names[b], mark, weight)
            for a, mark, b in zip(nodes, marks, nodes[1:], strict=False)
        ]
    for some in marked.values():
        numbers(some, tuple(names))
    graph = _pdag(tuple(names), edges)
    tables = read_tables(rows, graph, tuple(names)) if rows else None
    return LessonGraph(graph, tuple(names), _weights(len(names), edges), **marked, tables=tables)


def _path(text: str) -> tuple[list[str], list[str]]:
    parts = [part.strip() for part in EDGE.split(text)]
    if not all(parts) or any(STRAY.search(name) for name in parts[::2]):
        raise LessonError(f'a line of a graph joins names by ->, <- or --, got "{text[:80]}"')
    return parts[::2], parts[1::2]


def _pdag(names: Sequence[str], edges: Sequence[tuple]) -> PDAG:
    seen = set()
    for a, b, _, _ in edges:
        if a == b:
            shown = quoted([names[a]])
            raise LessonError(f"an edge must connect two variables, found one from {shown} to itself. Remove it")
        if frozenset((a, b)) in seen:
            raise LessonError(f"a pair may have one edge, {quoted([names[a], names[b]])} have another. Remove one")
        seen.add(frozenset((a, b)))
    by_mark = {name: [(a, b) for a, b, mark, _ in edges if MARKS[mark] == name] for name in set(MARKS.values())}
    check_acyclic(by_mark["directed"], names)
    return PDAG.from_edges(len(names), **by_mark)


def _weights(p: int, edges: Sequence[tuple]) -> np.ndarray:
    weights = np.zeros((p, p))
    for a, b, mark, weight in edges:
        if mark == "--" and weight:
            raise LessonError("only an arrow has a weight")
        weights[a, b] = number(weight or "1") if mark != "--" else 0.0
    return weights


def number(text: str) -> float:
    """Convert a number of a lesson file."""
    try:
        value = float(text)
    except ValueError:
        value = inf
    if not isfinite(value):
        raise LessonError(f'expected a number, got "{text[:80]}"')
    return value


def split_names(text: str) -> tuple[str, ...]:
    """Split names at commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def numbers(some: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of names.

    Raises
    ------
    LessonError
        If one is not a name in the graph or run.
    """
    for name in some:
        if name not in names:
            raise LessonError(f'there is no variable "{name[:80]}"; there are {", ".join(names)}')
    return tuple(names.index(name) for name in some)


def ends_of(names: Sequence[str], about: str) -> tuple[int, int]:
    """Return the indices of two names, as in ``a, b``."""
    pair = numbers(split_names(about), names)
    if len(pair) != 2:
        raise LessonError(f'expected two variables, got "{about[:80]}"')
    return pair


def pair_given(graph: LessonGraph, about: str) -> tuple[int, int, tuple[int, ...]]:
    """Return two variables and a conditioning set, as in ``a, b | c``."""
    pair, _, given = about.partition("|")
    ends = numbers(split_names(pair), graph.names)
    if len(ends) != 2:
        raise LessonError(f'expected two variables, as in "a, b | c", got "{about[:80]}"')
    return *ends, numbers(split_names(given), graph.names)
