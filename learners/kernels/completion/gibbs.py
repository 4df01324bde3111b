"""Draw the missing cells of a categorical table from a Bayesian network, one cell at a time given all others.

Arrays of all functions here
----------------------------
codes : (p, n) integer array
    A completed table, one variable per row.
arity : (p,) int64 array
families : FamilyTables
    The parents of each variable, and the positions of its probabilities in `table`.
table : float64 array
    Counts or probabilities of all families, one after the other.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class FamilyTables(NamedTuple):
    """Positions of the cells of each family in one array.

    Attributes
    ----------
    parents, step : (p, m) int64 arrays
        Parents of each variable, and the number by which each level of a parent increases the configuration.
    n_parents : (p,) int64 array
    children, position : (p, c) int64 arrays
        Children of each variable, and its position among the parents of each.
    n_children : (p,) int64 array
    first : (p + 1,) int64 array
        Cell of variable j, configuration c and level k: ``first[j] + c * arity[j] + k``.
    """

    parents: np.ndarray
    step: np.ndarray
    n_parents: np.ndarray
    children: np.ndarray
    position: np.ndarray
    n_children: np.ndarray
    first: np.ndarray


@kernel
def count_cells(codes, arity, families, weights, table):
    """Add the weight of each row to its cell of each family.

    Parameters
    ----------
    codes, arity, families, table
        As in the module's docstring; the table is zeros at the start.
    weights : (n,) float64 array
        Empty if each row counts once.
    """
    n = codes.shape[1]
    configuration = np.empty(n, np.int64)
    for j in range(codes.shape[0]):
        configuration[:] = families.first[j]
        for a in range(families.n_parents[j]):
            step, levels = families.step[j, a] * arity[j], codes[families.parents[j, a]]
            for t in range(n):
                configuration[t] += step * levels[t]
        own = codes[j]
        for t in range(n):
            table[configuration[t] + own[t]] += weights[t] if weights.shape[0] else 1.0


@kernel
def normalize(arity, families, table):
    """Divide the cells of each configuration by their sum.

    Parameters
    ----------
    arity, families, table
        As in the module's docstring.
    """
    for j in range(arity.shape[0]):
        for begin in range(families.first[j], families.first[j + 1], arity[j]):
            total = 0.0
            for k in range(arity[j]):
                total += table[begin + k]
            for k in range(arity[j]):
                table[begin + k] = table[begin + k] / total if total > 0.0 else 1.0 / arity[j]


@kernel
def draw_cells(codes, arity, families, table, variable, row, uniforms):
    """Draw each missing cell in turn given the other cells of its row.

    Parameters
    ----------
    codes, arity, families, table
        As in the module's docstring.
    variable, row : (h,) int64 arrays
        The missing cells.
    uniforms : (h,) float64 array
        Uniform random numbers.
    """
    widest = 0
    for j in range(arity.shape[0]):
        widest = max(widest, arity[j])
    chance = np.empty(widest)
    for h in range(variable.shape[0]):
        j, t = variable[h], row[h]
        r = arity[j]
        begin = families.first[j]
        for a in range(families.n_parents[j]):
            begin += families.step[j, a] * codes[families.parents[j, a], t] * r
        for k in range(r):
            chance[k] = table[begin + k]
        for d in range(families.n_children[j]):
            child, at = families.children[j, d], families.position[j, d]
            of_child = arity[child]
            begin = families.first[child] + codes[child, t]
            for a in range(families.n_parents[child]):
                if a != at:
                    begin += families.step[child, a] * codes[families.parents[child, a], t] * of_child
            step = families.step[child, at] * of_child
            for k in range(r):
                chance[k] *= table[begin + step * k]
        total = 0.0
        for k in range(r):
            total += chance[k]
        if total > 0.0:
            left, k = uniforms[h] * total, 0
            while k < r - 1 and left >= chance[k]:
                left -= chance[k]
                k += 1
            codes[j, t] = k
