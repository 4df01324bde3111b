"""Scores and greedy searches: readable reference implementations of the kernels."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np

from tests import naive


def discrete_score(codes, arity, weights, node, parents, *, ess=0.0, penalty=0.0):
    """Return BIC (`ess` 0) or BDeu of one family, from a dictionary of counts."""
    parents = list(parents)
    cells, strata = Counter(), Counter()
    for t, weight in enumerate(weights):
        if weight:
            config = tuple(int(codes[k][t]) for k in parents)
            strata[config] += int(weight)
            cells[config, int(codes[node][t])] += int(weight)
    q = math.prod(int(arity[k]) for k in parents)
    r = int(arity[node])
    if ess:
        inner = sum(math.lgamma(ess / (q * r) + c) - math.lgamma(ess / (q * r)) for c in cells.values())
        return inner - sum(math.lgamma(ess / q + c) - math.lgamma(ess / q) for c in strata.values())
    return sum(c * math.log(c / strata[config]) for (config, _), c in cells.items()) - penalty * (r - 1) * q


def gaussian_score(values, node, parents, penalty):
    """Return the log-likelihood of a least-squares fit, with variance RSS / n, minus its penalty.

    A family has |parents| + 2 parameters.
    """
    n = len(values)
    design = np.column_stack([np.ones(n), *(values[:, k] for k in parents)])
    fitted = design @ np.linalg.lstsq(design, values[:, node], rcond=None)[0]
    variance = ((values[:, node] - fitted) ** 2).mean()
    return -n / 2 * (math.log(2 * math.pi * variance) + 1) - penalty * (len(list(parents)) + 2)


def moves(amat, allowed=None):
    """Return the legal moves (op, i, j) in order of ties: 0 adds i -> j, 1 deletes it, 2 reverses it to j -> i."""
    p = len(amat)
    for op, i, j in product(range(3), range(p), range(p)):
        if i != j and bool(amat[i, j]) == (op > 0) and not (op == 0 and amat[j, i]):
            new = (j, i) if op == 2 else (i, j)
            if op != 1 and allowed is not None and not allowed[new]:
                continue
            after = moved(amat, op, i, j)
            if naive.is_acyclic(after):
                yield op, i, j


def moved(amat, op, i, j):
    """Return the graph after a move."""
    after = amat.copy()
    after[i, j] = op == 0
    if op == 2:
        after[j, i] = True
    return after


def total(local, amat):
    """Return the network score, the sum over all families."""
    return sum(local(j, tuple(np.flatnonzero(amat[:, j]).tolist())) for j in range(len(amat)))


def greedy_search(local, p, *, tabu_length=0, patience=0, start=None, allowed=None, rounding=1e-7):
    """Return (best graph, its score, moves made); every move is scored again, tabu structures are matrices."""
    amat = np.zeros((p, p), dtype=bool) if start is None else start.copy()
    best, best_score = amat, total(local, amat)
    visited, made, without = [amat.tobytes()], [], 0
    while True:
        score = total(local, amat)
        options = []
        for op, i, j in moves(amat, allowed):
            after = moved(amat, op, i, j)
            if after.tobytes() not in visited[max(0, len(visited) - tabu_length) :]:
                options.append((total(local, after) - score, (op, i, j)))
        top = max((gain for gain, _ in options), default=-math.inf)
        least = 1e-9 * max(1.0, abs(score))
        if top == -math.inf or (not patience and top <= least):
            return best, best_score, made
        move = min(move for gain, move in options if gain >= top - rounding)
        amat = moved(amat, *move)
        made.append(move)
        visited.append(amat.tobytes())
        if total(local, amat) > best_score + least:
            best, best_score, without = amat, total(local, amat), 0
        elif patience:
            without += 1
            if without == patience:
                return best, best_score, made
