"""Compile the kernels of every learner, so that numba's disk cache serves the first real run.

The work is split into pieces, one for each learner and column type, in the order of the learner list. A mark on disk
records that a piece was compiled from the current sources. Modules that are needed only for compilation are imported
only then: a caller that asks whether a piece is ready does not load them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import nullcontext
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from ..common.child_process import exit_with_parent, start_module
from ..common.parallel import available_cores
from ..common.progress import Tick
from ..data.dataset import Dataset
from ..families.catalogue import LEARNERS
from ..kernels.compiling import ENABLED, processor, store, way
from ..kernels.compiling.stamps import VERSIONS, digest

FIRST_LEARNER = "ges"  # learner of the app's first graph
FIRST_PIECE = (FIRST_LEARNER, "categorical")  # includes the kernels of the first picture
FEW = {  # settings of learners that repeat work: one repetition compiles all their kernels
    "bootstrap": {"n_resamples": 1},
    "brai": {"s": 1},
    "order_mcmc": {"steps": 1, "run_on": 0, "n_candidates": 3},
}
FEW_COLUMNS = {"exact_posterior": 6}  # maximum number of columns of learners whose cost doubles with each column
ORIENTATION = ("orientation", "categorical")  # piece of the kernels that run after the tests of most learners
REST = ("rest", "categorical")  # piece of the kernels that no learner uses by default
REGRESSIONS = {  # pieces that use the regression test in all its forms
    (f"{key}-by-regression", "mixed"): key for key in ("pc", "mmpc", "hpc", "rai")
}
MISSING_VALUES = "mixed"  # tables with missing cells use the kernels of mixed data
LOWEST_PRIORITY = 19
PREPARING = "being prepared"  # phase of a run that waits for its kernels
PREPARING_SECONDS = 20  # rough duration of the compilation of a learner on one core
POLL_SECONDS = 0.1
BACKGROUND_LOCK = "0" * store.LOCK_LETTERS  # name of the lock file
PACKAGE = Path(__file__).parents[1]
Piece = tuple[str, str]  # key of the learner, and column type


def pieces() -> list[Piece]:
    """Return all pieces in the order in which a user is likely to need them."""
    first, *others = sorted(
        ((key, kind) for key, learner in LEARNERS.items() for kind in learner.kinds),
        key=lambda piece: piece != FIRST_PIECE,
    )
    return [first, ORIENTATION, *others, *REGRESSIONS, REST]


def kind_of(dataset: Dataset) -> str:
    """Return the column type that the pieces for a run on these data have."""
    return dataset.kind if dataset.complete else MISSING_VALUES


def ready(piece: Piece) -> bool:
    """Return True if the piece was compiled on this computer from the current sources."""
    return not ENABLED or store.is_marked(_mark(piece))


def warm_up(*, behind: bool = False) -> None:
    """Compile all missing pieces on all cores.

    Parameters
    ----------
    behind : bool, default False
        Run in the background: at low priority, and only as long as the parent process lives.
    """
    if behind:
        os.nice(LOWEST_PRIORITY)
        exit_with_parent()
    with (
        store.alone(BACKGROUND_LOCK) if behind else nullcontext()
    ):  # other processes wait for the first one, and then use its cache
        _compile([piece for piece in pieces() if not ready(piece)])


def _compile(missing: list[Piece]) -> None:
    n_workers = min(available_cores(), len(missing))
    if n_workers <= 1:
        for piece in missing:
            compile_piece(piece)
        return
    left, running = list(missing), {}
    with ProcessPoolExecutor(n_workers, get_context("spawn"), initializer=exit_with_parent) as workers:
        while left or running:
            while left and len(running) < n_workers:
                piece = next_piece(left, set(running.values()))
                left.remove(piece)
                running[workers.submit(compile_piece, piece)] = piece[1]
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                del running[done]
                done.result()


def next_piece(left: list[Piece], kinds: set[str]) -> Piece:
    """Return the first piece whose column type no worker is compiling; if there is none, the first one.

    Pieces of one type share kernels, and two workers that need the same kernel would wait for each other.
    """
    return next((piece for piece in left if piece[1] not in kinds), left[0])


def warm_up_in_process(piece: Piece) -> subprocess.Popen:
    """Compile one piece in a separate process, which can be killed."""
    return start_module("learners.workers.warm_up", *piece)


def prepare(piece: Piece, tick: Tick) -> bool:
    """Wait until a piece is compiled for this computer, in a process that can be cancelled.

    Parameters
    ----------
    piece : Piece
    tick : Tick
        Progress listener; False ends the compilation.

    Returns
    -------
    bool
        False if the tick cancelled. True at once if compiled code cannot be stored: the run compiles what it needs.
    """
    if ready(piece) or not store.is_writable():
        return True
    began = time.monotonic()
    with warm_up_in_process(piece) as process:
        while process.poll() is None:
            if not tick(PREPARING, min(int(time.monotonic() - began), PREPARING_SECONDS - 1), PREPARING_SECONDS):
                process.terminate()
                return False
            time.sleep(POLL_SECONDS)
    return True


def share(piece: Piece) -> None:
    """Start a second process that compiles the orientation kernels while the first run of a learner begins."""
    if not ready(piece) and not ready(ORIENTATION) and store.is_writable() and available_cores() > 1:
        warm_up_in_process(ORIENTATION)


def compile_piece(piece: Piece) -> None:
    """Run the learner of a piece on small data sets of its column type, and mark the piece as compiled."""
    from ..families.constraint_based.pc import pc
    from ..graphs.graph import PDAG
    from ..independence import DSeparation
    from ..registry import learn

    if piece == FIRST_PIECE:
        _compile_drawing()
    if piece == ORIENTATION:
        pc(DSeparation(PDAG.from_edges(5, directed=[(0, 2), (1, 2), (2, 3), (3, 4)])))
    for dataset in _data():
        kind = kind_of(dataset)
        if piece == REST and kind == piece[1]:
            _compile_rest(dataset)
        elif piece in REGRESSIONS and dataset.kind == piece[1]:
            learn(REGRESSIONS[piece], dataset, test="regression")
        elif piece in ((key, kind) for key, one in LEARNERS.items() if not one.refusal(dataset)):
            few = dataset.select(range(min(dataset.p, FEW_COLUMNS.get(piece[0], dataset.p))))
            learn(piece[0], few, **FEW.get(piece[0], {}))
    if ENABLED:
        store.mark(_mark(piece))


def _data() -> list[Dataset]:
    """Return small data sets of every column type, with narrow and wide codes."""
    rng = np.random.default_rng(0)
    names = [f"v{k}" for k in range(6)]
    # Chains, so that the tests find dependences.
    small = (rng.random((6, 60)) < 0.2).cumsum(axis=0) % 2
    values = rng.normal(size=(60, 16)).cumsum(axis=1)
    return [
        Dataset.from_codes(small, [2] * 6, names),
        Dataset.from_codes(small, [2] * 5 + [300], names),
        # Enough variables for the cache of families to grow.
        Dataset.from_codes(rng.integers(0, 2, (40, 200)), [2] * 40, [f"v{k}" for k in range(40)]),
        # Enough equal rows for duplicates to be merged.
        *(Dataset.from_codes(np.zeros((6, 3_000), dtype=np.int64), [2] * 5 + [r], names) for r in (2, 300)),
        Dataset.from_codes(small, [2] * 6, names, weights=[1] * 60),
        # Enough variables for edges between clusters.
        Dataset.from_values(values, [f"v{k}" for k in range(16)]),
        *_mixed(values, small),
    ]


def _mixed(values: np.ndarray, codes: np.ndarray) -> list[Dataset]:
    """Return mixed data sets and data sets with missing cells."""
    numbers = [f"x{k}" for k in range(values.shape[1])]
    names = [f"v{k}" for k in range(len(codes))]
    incomplete = np.where(np.arange(codes.shape[1]) % 20 == np.arange(len(codes))[:, None], -1, codes)
    wide = Dataset.from_codes(incomplete, [2] * (len(codes) - 1) + [300], names)
    parts = Dataset.from_values(values, numbers), Dataset.from_codes(codes, [2] * 6, names)
    both = Dataset.joined(numbers + names, *parts)
    many = Dataset.joined(numbers + names, parts[0], Dataset.from_codes(codes, [2] * (len(codes) - 1) + [300], names))
    few = both.select([0, 1, 2, both.p - 2, both.p - 1])  # exact sums accept few columns only
    return [both, many, few, Dataset.from_codes(incomplete, [2] * 6, names), wide]


def _compile_drawing() -> None:
    """Compile the kernels of a layered drawing, on a graph in which an edge passes over another and over a node."""
    from ..graphs.layered_rows import (
        Neighbours,
        drawing_cost,
        position_costs,
        row_crossings,
        searched_orders,
        searched_parts,
        searched_positions,
        shortest_layers,
        sifted,
    )

    rows = [[0, 1], [2, 3, 4]]
    above, below = Neighbours([[], [], [1], [0], [0]]), Neighbours([[3, 4], [2], [], [], []])
    row_crossings(rows, below)
    sifted(rows, above, below, rounds=2, widest=3)
    x, y = np.array([0.0, 1.0, 0.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0, 1.0, 2.0])
    for height in (0.0, 1.0, 3.0):
        others = np.array([[0, 3], [1, 2], [2, 3]])
        position_costs(x, y, 4, height, np.array([0.0, 1.0, 2.0]), np.array([0, 1]), others)
    rng, edges = np.random.default_rng(0), np.array([[0, 3], [1, 2], [0, 4]])
    searched_orders(rows, above, below, rng, tries=16, rounds=2, widest=3)
    searched_parts(rows, above, below, rng, tries=16, rounds=2, widest=3)
    searched_positions(
        np.column_stack([x, y]), edges, np.arange(5.0), rng, between_rows=True, tries=3, max_work=1e4, similar=2
    )
    drawing_cost(x, y, edges)
    shortest_layers(3, np.array([[0, 1], [1, 2], [0, 2]]), np.ones(3))


def _compile_rest(dataset: Dataset) -> None:
    """Compile tests that no learner uses by default, cached ones, exact posteriors, and the reader of long text."""
    from ..data.reading.regular_rows import compile_reader
    from ..families.averaging.best_classes import best_classes
    from ..families.averaging.dag_sampling import order_posterior, sample_dags
    from ..independence import OrderedG2, PearsonX2, PermutationG2, ShrinkageMI
    from ..registry import learn
    from ..scores import BDeu
    from ..sweeping.sweep import sweep

    compile_reader()
    PermutationG2(dataset, permutations=2).test(0, 1, (2,))
    ShrinkageMI(dataset).test(0, 1, (2,))
    PearsonX2(dataset).test(0, 1, (2,))
    OrderedG2(dataset.with_ordered_levels(dataset.names)).test(0, 1, (2,))
    for key in ("pc", "ppc"):  # a sweep caches their tests
        sweep(key, dataset, "alpha", (0.05,))
    few = BDeu(dataset.select([0, 1, 2]))
    best_classes(few, 3)
    sample_dags(order_posterior(few), 300, thin=1, burn_in=0, leap=0.5)
    learn("order_mcmc", dataset, prior="dags", **FEW["order_mcmc"])


def _mark(piece: Piece) -> str:
    return f"{'-'.join(piece)}-{_sources()}"


@cache
def _sources() -> str:
    """Return a hash of the library's sources, the compiler versions, and the processor."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    return digest(*VERSIONS, processor(), way(), *texts)


if __name__ == "__main__":
    exit_with_parent()
    compile_piece(tuple(sys.argv[1:]))
