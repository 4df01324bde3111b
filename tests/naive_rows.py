"""Rows of a layered drawing, from the definitions."""

from __future__ import annotations

from collections.abc import Sequence


def crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    """Count the pairs of edges between neighbouring rows whose ends are in opposite orders."""
    place = {i: k for row in rows for k, i in enumerate(row)}
    edges = [(i, j) for i, ends in enumerate(below) for j in ends]
    row_of = {i: at for at, row in enumerate(rows) for i in row}
    return sum(
        row_of[i] == row_of[a] and (place[i] - place[a]) * (place[j] - place[b]) < 0
        for k, (i, j) in enumerate(edges)
        for a, b in edges[:k]
    )


def sifted(
    rows: Sequence[Sequence[int]],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    *,
    rounds: int,
    widest: int,
) -> list[list[int]]:
    """Move each node to the leftmost best position of its row, row by row, down and up, until nothing changes.

    All nodes of a row are tried against the crossings at the time when the row is reached.
    """
    rows = [list(row) for row in rows]

    def pair(i: int, j: int) -> int:
        """Count the crossings of the edges of two nodes of a row if the first is left of the second."""
        place = {node: k for row in rows for k, node in enumerate(row)}
        near = ((above[i], above[j]), (below[i], below[j]))
        return sum(place[a] > place[b] for mine, theirs in near for a in mine for b in theirs)

    for _ in range(rounds):
        before = [list(row) for row in rows]
        for at in [*range(len(rows)), *reversed(range(len(rows)))]:
            if len(rows[at]) > widest:
                continue
            order = list(rows[at])
            for i in rows[at]:
                rest = [j for j in order if j != i]
                costs = [
                    sum(pair(j, i) for j in rest[:k]) + sum(pair(i, j) for j in rest[k:]) for k in range(len(order))
                ]
                best = costs.index(min(costs))
                if costs[best] < costs[order.index(i)]:
                    order = [*rest[:best], i, *rest[best:]]
            rows[at] = order
        if rows == before:
            break
    return rows
