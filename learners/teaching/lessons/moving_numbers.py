"""Numbers that move: exact probabilities of yes/no variables whose arrows have strengths that a reader changes.

A variable is *yes* with probability 0.5 plus, for each arrow into it, the strength times +0.5 if the parent is *yes*
and -0.5 if it is *no*. So every variable is *yes* in half of all cases, and a strength is the change of the probability
that the parent causes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from .graph_syntax import number, numbers, read_graph, split_names
from .lesson import LessonError, LessonNumbers, MovingStrength

COMPARE = "compare"
MAX_STRENGTH = 0.96  # maximum sum of the absolute strengths of the arrows into a variable
MAX_NODES, MAX_MOVING = 8, 2  # the states of all variables, and of all sliders, are listed
N_STEPS = 9  # number of values of a slider


@dataclass(frozen=True)
class MovingTable:
    """Shares of *yes* of the effect, by the cause, for all cases and in the groups of a third variable.

    Attributes
    ----------
    with_cause, without_cause : tuple of float
        P(effect | cause = yes) and P(effect | cause = no): among all, among group = yes, and among group = no.
    sizes : tuple of float
        Shares of the two groups.
    adjusted : float
        Difference averaged over the groups, by their shares.
    causal : float
        Difference under do(cause = yes) and do(cause = no).
    """

    with_cause: tuple[float, float, float]
    without_cause: tuple[float, float, float]
    sizes: tuple[float, float]
    adjusted: float
    causal: float

    @property
    def differences(self) -> tuple[float, ...]:
        """Differences in the outcome with and without the cause, among all and in each group."""
        return tuple(a - b for a, b in zip(self.with_cause, self.without_cause, strict=True))


def read_numbers(lines: Sequence[str]) -> LessonNumbers:
    """Parse lines such as ``severity -> treatment : 0, 0.8`` and ``compare: recovery | treatment by severity``.

    Two strengths are the ends of a slider, which begins at the first.

    Raises
    ------
    LessonError
        If a line has another form, or the strengths are too large.
    """
    arrows, compared = [], ""
    for line in lines:
        word, _, about = line.partition(":")
        if word.strip() == COMPARE:
            compared = about.strip()
        else:
            arrows.append(line)
    graph = read_graph([line.partition(" : ")[0] for line in arrows])
    if not graph.graph.is_dag or len(graph.names) > MAX_NODES:
        raise LessonError(f"numbers need a DAG of at most {MAX_NODES} variables")
    strengths = dict(_strength(line, graph.names) for line in arrows)
    moving = tuple(one for one in strengths.values() if isinstance(one, MovingStrength))
    if len(moving) > MAX_MOVING:
        raise LessonError(f"at most {MAX_MOVING} strengths may move, got {len(moving)}")
    for j, name in enumerate(graph.names):
        total = sum(_largest(one) for (_, b), one in strengths.items() if b == j)
        if total > MAX_STRENGTH:
            raise LessonError(f"the strengths of the arrows into {name} may sum to {MAX_STRENGTH}, got {total:.3g}")
    return LessonNumbers(graph, strengths, *_compared(compared, graph.names))


def _strength(line: str, names: Sequence[str]) -> tuple[tuple[int, int], float | MovingStrength]:
    path, colon, values = line.partition(" : ")
    ends = [part.strip() for part in path.split("->")]
    given = [number(part) for part in values.split(",")] if colon else []
    if len(ends) != 2 or len(given) not in (1, 2):
        raise LessonError(
            f'a line of numbers is an arrow with one or two strengths, as in "a -> b : 0, 0.8", got "{line[:80]}"'
        )
    pair = numbers(ends, names)
    if len(given) == 1:
        return pair, given[0]
    if given[0] == given[1]:
        raise LessonError("the two ends of a slider have to differ")
    values = tuple(round(one, 4) for one in np.linspace(min(given), max(given), N_STEPS).tolist())
    return pair, MovingStrength(pair, values, values.index(round(given[0], 4)))


def _largest(strength: float | MovingStrength) -> float:
    return max(map(abs, strength.values)) if isinstance(strength, MovingStrength) else abs(strength)


def _compared(text: str, names: Sequence[str]) -> tuple[int, int, int]:
    pair, _, group = text.partition(" by ")
    effect, _, cause = pair.partition("|")
    found = numbers([*split_names(effect), *split_names(cause), *split_names(group)], names)
    if len(found) != 3 or len(set(found)) != 3:
        raise LessonError('numbers end with what is compared, as in "compare: recovery | treatment by severity"')
    return found


def strengths_at(block: LessonNumbers, positions: Sequence[int]) -> Mapping[tuple[int, int], float]:
    """Return the strength of each arrow, with the sliders at these positions."""
    moved = {one.pair: one.values[k] for one, k in zip(block.moving, positions, strict=True)}
    return {pair: moved.get(pair, one) for pair, one in block.strengths.items()}


def table_at(block: LessonNumbers, positions: Sequence[int]) -> MovingTable:
    """Return the numbers with the sliders at these positions, by summing over all states."""
    strengths, p = strengths_at(block, positions), len(block.graph.names)
    states = np.array(list(product((0, 1), repeat=p)), dtype=bool)
    chances = np.stack([_chance(states, j, strengths) for j in range(p)])
    joint = chances.prod(axis=0)
    x, y, z = (states[:, k] for k in (block.cause, block.effect, block.group))

    def share(weights: np.ndarray, among: np.ndarray) -> float:
        return float(weights[among & y].sum() / weights[among].sum())

    groups = (np.ones(len(states), dtype=bool), z, ~z)
    with_cause = tuple(share(joint, group & x) for group in groups)
    without = tuple(share(joint, group & ~x) for group in groups)
    sizes = (float(joint[z].sum()), float(joint[~z].sum()))
    adjusted = sum(size * (a - b) for size, a, b in zip(sizes, with_cause[1:], without[1:], strict=True))
    done = np.delete(chances, block.cause, axis=0).prod(axis=0)  # truncated factorization (Pearl 2009, equation 3.10)
    return MovingTable(with_cause, without, sizes, adjusted, share(done, x) - share(done, ~x))


def _chance(states: np.ndarray, j: int, strengths: Mapping[tuple[int, int], float]) -> np.ndarray:
    """Return the probability of the value of variable `j` in each state, given its parents there."""
    yes = np.full(len(states), 0.5)
    for (a, b), strength in strengths.items():
        if b == j:
            yes += strength * (states[:, a] - 0.5)
    return np.where(states[:, j], yes, 1 - yes)
