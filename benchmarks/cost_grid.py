"""Quality of the cost model's choices, measured against every counting method on a grid of tables.

``python -m benchmarks.cost_grid [even|skewed]`` prints the whole grid, worst picks first; run it after a change to a
counting kernel, and fit the constants of `learners/kernels/counting/cost_model.py` to it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from learners import Dataset
from learners.common.progress import silent
from learners.data.bit_planes import MAX_STATES
from learners.independence import G2
from learners.kernels.compiling import kernel
from learners.kernels.counting.bit_planes import pair_g2
from learners.kernels.counting.contingency import dense_g2, fill_strata, max_dense_cells, sparse_g2
from learners.kernels.counting.cost_model import MAX_SHARED, planes_win
from learners.kernels.counting.strata import fill_shared_masks, marginal_g2, one_variable_g2, strata_g2

from .problem import Answer, Run

ROWS = (500, 2_000, 10_000, 25_000, 100_000)
PAIRS = ((2, 2), (2, 4), (3, 3), (4, 4), (3, 8), (5, 12), (8, 8), (2, 32), (16, 16), (40, 40))
SETS = ((), (2,), (4,), (8,), (24,), (2, 2), (3, 4), (8, 8), (40, 3), (2, 2, 2), (3, 3, 4), (4, 4, 4), (8, 8, 8))
LARGEST = 1 << 22  # maximum number of cells of a dense table; larger ones are not tried
ROUND, ROUNDS = 2e-4, 3  # seconds of one round of repeats, and number of rounds; the fastest counts
NEAR = 1.5  # maximum duration of the chosen method, relative to the fastest


@dataclass(frozen=True)
class Cell:
    """One table: its levels, the seconds of each counting method, and the method `picked` by the cost model."""

    n: int
    pair: tuple[int, int]
    cond: tuple[int, ...]
    known: bool
    seconds: dict[str, float]
    picked: str

    @property
    def ratio(self) -> float:
        """Return the seconds of the chosen method relative to the fastest method."""
        return self.seconds[self.picked] / min(self.seconds.values())

    def __str__(self) -> str:
        ways = ", ".join(f"{way} {1e6 * seconds:.3g} µs" for way, seconds in sorted(self.seconds.items()))
        given = f" | {' '.join(map(str, self.cond))}" if self.cond else ""
        pairs = ", pairs counted" if self.known else ""
        return f"{self.pair[0]} x {self.pair[1]}{given}, {self.n:,} rows{pairs}: {ways}; picked {self.picked}"


def grid(*, columns: str) -> Run:
    """Measure all tables of the grid on `columns` "even" or "skewed".

    The note reports how far the choices are from the fastest method.
    """

    def run() -> Answer:
        cells = list(_cells(columns))
        ratios = np.array([cell.ratio for cell in cells])
        worst = cells[int(ratios.argmax())]
        note = (
            f"worst pick {ratios.max():.2f} x the best way; {(ratios <= NEAR).mean():.1%} of {len(cells)} tables "
            f"within {NEAR}; worst: {worst}"
        )
        return Answer(note=note)

    return run


def _cells(columns: str) -> Iterator[Cell]:
    for n in ROWS:
        data = _sample(columns, n)
        for known in (True, False):
            test = G2(data, threads=1)
            if known:
                test._prepare("", silent)
            for pair in PAIRS:
                for cond in SETS:
                    if known and len(cond) > 1:
                        continue  # for larger sets, cached counts of pairs hardly change the cost
                    yield _measured(test, data, pair, cond, known)


def _sample(columns: str, n: int) -> Dataset:
    """Draw two columns for each arity of a pair and three for each arity of a set; all depend on one hidden column."""
    rng = np.random.default_rng(n)
    arity = [r for r in sorted({r for pair in PAIRS for r in pair}) for _ in range(2)]
    arity += [r for r in sorted({r for cond in SETS for r in cond}) for _ in range(3)]
    hidden = rng.random(n)
    codes = []
    for r in arity:
        place = np.where(rng.random(n) < 0.3, hidden, rng.random(n))
        codes.append((r * (place**3 if columns == "skewed" else place)).astype(np.int64))
    return Dataset.from_codes(codes, arity, [f"v{k}" for k in range(len(arity))])


def _measured(test: G2, data: Dataset, pair: tuple[int, int], cond: tuple[int, ...], known: bool) -> Cell:
    sample, scratch = test._sample, test._scratch(len(cond))
    x, y, members = _nodes(data.arity, pair, cond)
    first, words = sample.first, sample.planes.shape[1]
    z, size = scratch.z, len(cond)
    q = fill_strata(data.codes, data.arity, members, size, z)
    seconds = {"hashing": _seconds(lambda k: repeat_sparse(sample, x, y, members, z, k))}
    if q * pair[0] * pair[1] <= LARGEST:
        seconds["table"] = _seconds(lambda k: repeat_dense(sample, x, y, members, z, k))
    if max(*pair, *cond) <= MAX_STATES and (pair[0] - 1) * (pair[1] - 1) <= MAX_SHARED:
        seconds["planes"] = _seconds(lambda k: repeat_planes(sample, x, y, members, scratch, k))
    if planes_win(data.arity, first, words, known, data.n_rows, x, y, members, size):
        picked = "planes"
    else:
        picked = "table" if q * pair[0] * pair[1] <= max_dense_cells(data.n_rows) else "hashing"
    return Cell(data.n_rows, pair, cond, known, seconds, picked)


def _nodes(arity: np.ndarray, pair: tuple[int, int], cond: tuple[int, ...]) -> tuple[int, int, np.ndarray]:
    """Return columns with the requested levels, x < y."""
    of_pairs = 2 * len({r for pair in PAIRS for r in pair})
    left = arity.tolist()
    nodes = []
    for r, begin, end in [*((r, 0, of_pairs) for r in pair), *((r, of_pairs, len(left)) for r in cond)]:
        node = left.index(r, begin, end)
        left[node] = 0
        nodes.append(node)
    x, y = sorted(nodes[:2])
    return x, y, np.array(nodes[2:], dtype=np.int32)


def _seconds(repeat: Callable[[int], float]) -> float:
    """Return the seconds of one call in the fastest of several rounds."""
    repeat(1)
    began = time.perf_counter()
    repeat(1)
    times = max(1, int(ROUND / (time.perf_counter() - began)))
    fastest = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        repeat(times)
        fastest = min(fastest, (time.perf_counter() - began) / times)
    return fastest


@kernel
def repeat_planes(sample, x, y, cond, scratch, times):
    """Count one table by planes, `times` times, as a conditioning-set search does.

    Tuples are unpacked, and the masks of x and y are kept.
    """
    planes, first, counts, xlogx = sample.planes, sample.first, sample.counts, sample.xlogx
    pairs, seen, joint = sample.pairs, sample.seen, sample.joint
    shared, masks, state = scratch.shared, scratch.masks, scratch.state
    cells, rest, rows, columns = scratch.cells, scratch.rest, scratch.rows, scratch.columns
    known, size = pairs.shape[0] > 0, cond.shape[0]
    half = total = 0.0
    for _ in range(times):
        if size == 0 and known:
            half, _ = pair_g2(first, counts, joint, x, y, sample.n, xlogx)
            total += half
            continue
        fill_shared_masks(planes, first, x, y, scratch.pair, shared)
        if size == 0:
            half, _ = marginal_g2(first, counts, x, y, sample.n, xlogx, shared, cells)
        elif size == 1 and known:
            half, _ = one_variable_g2(
                planes, first, pairs, seen, joint, xlogx, x, y, cond[0], shared, rest, columns
            )  # fmt: skip
        else:
            half, _ = strata_g2(
                planes, first, counts, pairs, seen, xlogx, x, y, cond, shared, masks, state, cells, rows, columns,
                planes[0, :0], np.inf,
            )  # fmt: skip
        total += half
    return total


@kernel
def repeat_dense(sample, x, y, cond, z, times):
    """Count the same table from the codes with a dense table of any size."""
    total = 0.0
    codes, arity = sample.codes, sample.arity
    for _ in range(times):
        q = fill_strata(codes, arity, cond, cond.shape[0], z)
        total += dense_g2(codes[x], codes[y], arity[x], arity[y], sample.weights, z, q, sample.xlogx)[0]
    return total


@kernel
def repeat_sparse(sample, x, y, cond, z, times):
    """Count the same table from the codes by hashing, even if the table is small."""
    total = 0.0
    codes, arity = sample.codes, sample.arity
    for _ in range(times):
        q = fill_strata(codes, arity, cond, cond.shape[0], z)
        total += sparse_g2(codes[x], codes[y], arity[x], arity[y], sample.weights, z, q, sample.xlogx)[0]
    return total


def main() -> None:
    """Print every table of the grid, the worst choice first."""
    for cell in sorted(_cells(*sys.argv[1:] or ["even"]), key=lambda cell: -cell.ratio):
        print(f"{cell.ratio:.2f}  {cell}")


if __name__ == "__main__":
    main()
