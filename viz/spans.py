"""Stretches of steps in which an edge looks the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.results.step_graphs import AGAINST, ALONG, CONFLICT

MARKS = {ALONG: "forward", AGAINST: "backward", ALONG | AGAINST: "undirected"}


def mark_of(code: int) -> str:
    """How an edge with a code of `StepGraphs` is drawn; "none" if it is not there."""
    if not code:
        return "none"
    return "conflict" if code & CONFLICT else MARKS[int(code)]


def runs(codes: np.ndarray, first: int) -> list[list]:
    """``[from, to, mark]`` of each stretch of equal codes but 0."""
    borders = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), len(codes)]
    return [[first + a, first + b, mark_of(codes[a])] for a, b in zip(borders, borders[1:], strict=False) if codes[a]]


def merged(spans: Sequence[list], end: int) -> list[list]:
    """Spans that touch and look alike as one."""
    joined: list[list] = []
    for begin, stop, mark in spans:
        if joined and joined[-1][1] == begin and joined[-1][2] == mark:
            joined[-1][1] = stop
        elif begin < min(stop, end):
            joined.append([begin, stop, mark])
    return joined


def outside(first: int, beyond: int, end: int) -> list[list[int]]:
    """The steps ``[from, to]`` of 0 .. end - 1 before `first` and from `beyond` on."""
    return [[a, b] for a, b in ((0, min(first, end)), (beyond, end)) if a < b]
