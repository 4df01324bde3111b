"""Compile the kernels of every learner, so that numba's cache on disk serves the first real run.

The work falls into pieces, a learner and a kind of data each, in the order in which learners are listed. A mark on disk
says that a piece is done with the sources as they are. What is compiled is imported only to be compiled: whoever asks
whether a piece is ready need not load it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import nullcontext
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from .catalogue import LEARNERS
from .common.child_process import exit_with_parent, start_module
from .common.parallel import available_cores
from .data.dataset import Dataset
from .kernels.compiling import ENABLED, processor, store, way
from .kernels.compiling.stamps import VERSIONS, digest

FIRST_LEARNER = "ges"  # of the app's first graph: right on it and on fresh rows of its network, in few steps
FEW = {  # what would be repeated is compiled the first time
    "bootstrap": {"n_resamples": 1},
    "brai": {"s": 1},
    "order_mcmc": {"steps": 1, "run_on": 0, "n_candidates": 3},
}
FEW_COLUMNS = {"exact_posterior": 6}  # where each doubles the work
ORIENTATION = ("orientation", "categorical")  # what follows the tests of most learners
REST = ("rest", "categorical")  # what is no learner's first choice
REGRESSIONS = {  # their tests are asked for in every way there is
    (f"{key}-by-regression", "mixed"): key for key in ("pc", "mmpc", "hpc", "rai")
}
MISSING_VALUES = "mixed"  # tables with missing cells, whatever their kind, go with those of both kinds
LOWEST_PRIORITY = 19
BACKGROUND_LOCK = "0" * store.LOCK_LETTERS  # name of the lock
PACKAGE = Path(__file__).parent
Piece = tuple[str, str]  # key of a learner, kind of data


def pieces() -> list[Piece]:
    """All there is to compile, what a user meets first first."""
    first, *others = sorted(
        ((key, kind) for key, learner in LEARNERS.items() for kind in learner.kinds),
        key=lambda piece: piece != (FIRST_LEARNER, "categorical"),
    )
    return [first, ORIENTATION, *others, *REGRESSIONS, REST]


def kind_of(dataset: Dataset) -> str:
    """The kind of data that tells which piece a run needs."""
    return dataset.kind if dataset.complete else MISSING_VALUES


def ready(piece: Piece) -> bool:
    """Whether the piece was compiled on this computer, from the sources as they are."""
    return not ENABLED or store.is_marked(_mark(piece))


def warm_up(*, behind: bool = False) -> None:
    """Compile what is not ready yet, on all cores; `behind` other work, and no longer than the process that asked."""
    if behind:
        os.nice(LOWEST_PRIORITY)
        exit_with_parent()
    with store.alone(BACKGROUND_LOCK) if behind else nullcontext():  # of several, the others wait and find it done
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
    """Return the first piece of a kind of data that no worker compiles: kernels of the same types are the same.

    Two workers that need the same kernel would wait for each other.
    """
    return next((piece for piece in left if piece[1] not in kinds), left[0])


def warm_up_in_process(piece: Piece) -> subprocess.Popen:
    """Compile one piece in a process of its own, which can be ended."""
    return start_module("learners.warm_up", *piece)


def share(piece: Piece) -> None:
    """Before the first run of a learner: a second process compiles what follows the tests, while this one begins."""
    if not ready(piece) and not ready(ORIENTATION) and store.is_writable() and available_cores() > 1:
        warm_up_in_process(ORIENTATION)


def compile_piece(piece: Piece) -> None:
    """Run the learner on a handful of rows of each width that the kind of data has."""
    from .constraint_based.pc import pc
    from .graphs.graph import PDAG
    from .independence import DSeparation
    from .registry import learn

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
    """Every kind, and of codes the narrow and the wide."""
    rng = np.random.default_rng(0)
    names = [f"v{k}" for k in range(6)]
    # Chains, so that tests find something to go on with.
    small = (rng.random((6, 60)) < 0.2).cumsum(axis=0) % 2
    values = rng.normal(size=(60, 16)).cumsum(axis=1)
    return [
        Dataset.from_codes(small, [2] * 6, names),
        Dataset.from_codes(small, [2] * 5 + [300], names),
        # Enough variables that a cache of families has to grow.
        Dataset.from_codes(rng.integers(0, 2, (40, 200)), [2] * 40, [f"v{k}" for k in range(40)]),
        # Enough equal rows that they are merged.
        *(Dataset.from_codes(np.zeros((6, 3_000), dtype=np.int64), [2] * 5 + [r], names) for r in (2, 300)),
        Dataset.from_codes(small, [2] * 6, names, weights=[1] * 60),
        # Enough variables that some clusters of them have edges in between.
        Dataset.from_values(values, [f"v{k}" for k in range(16)]),
        *_mixed(values, small),
    ]


def _mixed(values: np.ndarray, codes: np.ndarray) -> list[Dataset]:
    """Both kinds side by side, and tables with holes."""
    numbers = [f"x{k}" for k in range(values.shape[1])]
    names = [f"v{k}" for k in range(len(codes))]
    holes = np.where(np.arange(codes.shape[1]) % 20 == np.arange(len(codes))[:, None], -1, codes)
    wide = Dataset.from_codes(holes, [2] * (len(codes) - 1) + [300], names)
    parts = Dataset.from_values(values, numbers), Dataset.from_codes(codes, [2] * 6, names)
    both = Dataset.joined(numbers + names, *parts)
    many = Dataset.joined(numbers + names, parts[0], Dataset.from_codes(codes, [2] * (len(codes) - 1) + [300], names))
    few = both.select([0, 1, 2, both.p - 2, both.p - 1])  # for exact sums, which take few columns
    return [both, many, few, Dataset.from_codes(holes, [2] * 6, names), wide]


def _compile_rest(dataset: Dataset) -> None:
    """Tests that are no learner's first choice, those that a sweep remembers, and the exact posteriors."""
    from .averaging.dag_sampling import order_posterior, sample_dags
    from .averaging.exact import best_classes
    from .independence import PermutationG2, ShrinkageMI
    from .registry import learn
    from .scores import BDeu
    from .sweeping.sweep import sweep

    PermutationG2(dataset, permutations=2).test(0, 1, (2,))
    ShrinkageMI(dataset).test(0, 1, (2,))
    for key in ("pc", "ppc"):  # whose tests a sweep remembers
        sweep(key, dataset, "alpha", (0.05,))
    few = BDeu(dataset.select([0, 1, 2]))
    best_classes(few, 3)
    sample_dags(order_posterior(few), 300, thin=1, burn_in=0, leap=0.5)
    learn("order_mcmc", dataset, prior="dags", **FEW["order_mcmc"])


def _mark(piece: Piece) -> str:
    return f"{'-'.join(piece)}-{_sources()}"


@cache
def _sources() -> str:
    """Return a hash of the library's files, what compiles them, and the processor."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    return digest(*VERSIONS, processor(), way(), *texts)


if __name__ == "__main__":
    exit_with_parent()
    compile_piece(tuple(sys.argv[1:]))
