"""Evidence on causes for each pair of columns, as features of a calibrated model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..data.dataset import Dataset
from ..data.embedding import standardized_cells
from ..data.resampling import resampled
from ..families.latent.mag_search import mag_from_dag
from ..graphs.graph import PDAG
from ..graphs.mag import pag_of_mag
from ..graphs.pag import ARROW, NONE, PAG, TAIL
from ..registry import learn
from ..results.result import LearnResult
from .signs_by_tests import boss_fci, signs_by_tests
from .table_signs import MAX_MOVES as MAX_MOVES_OF_ALL
from .table_signs import table_signs

Claim = Literal["cause", "no cause", "adjacent"]
RESAMPLES = 12
AVERAGED = 3  # number of imputed tables over which signs and order MCMC are averaged
MAX_MOVES = 6  # maximum number of moves of the search over MAGs on a resample
CHAIN_STEPS = 20_000
MIN_SHARE = 0.1  # minimum share of the resamples with a claim for it to be judged
MAX_WORK = 1e7  # maximum number of rows times squared columns, about 0.5 s
PHASE = "resamples"
LARGEST_Z = 30.0


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of the graphs of resamples by one method.

    Attributes
    ----------
    arrow : (p, p) float64 array
        Share with a tail at i and an arrowhead at j.
    head : (p, p) float64 array
        Share with an arrowhead at j of the edge between i and j.
    adjacent : (p, p) float64 array
    """

    arrow: np.ndarray
    head: np.ndarray
    adjacent: np.ndarray


@dataclass(frozen=True, eq=False)
class ClaimEvidence:
    """Evidence on all pairs of a table.

    Attributes
    ----------
    shares : dict of str to Shares
        Shares by method.
    compelled, adjacent : (p, p) float64 array
        Probabilities by order MCMC.
    pags : tuple of PAG
        PAG of each averaged table: that of the best MAG, or that of BOSS-FCI.
    of_pairs : dict of str to (p, p) float64 array
        Further signs of each pair, by name.
    of_table : dict of str to float
        Signs of the table, by name.
    n, p : int
        Number of rows and of columns.
    n_resamples : int
    """

    shares: dict[str, Shares]
    compelled: np.ndarray
    adjacent: np.ndarray
    pags: tuple[PAG, ...]
    of_pairs: dict[str, np.ndarray]
    of_table: dict[str, float]
    n: int
    p: int
    n_resamples: int


def pair_evidence(*tables: Dataset, seed: int = 0, tick: Tick = silent) -> ClaimEvidence:
    """Collect the evidence of a table; raise `Stopped` if the tick cancels.

    Parameters
    ----------
    *tables : Dataset
        The table, without missing cells, or several completed ones: resamples are of one after the other, and the signs
        and probabilities are means over the first three. With categorical columns, BOSS-FCI takes the place of the
        search over MAGs, which needs numbers.
    seed : int, default 0
        Seed of the resamples and the chains.
    tick : Tick
    """
    averaged = tables[:AVERAGED]
    steps = _Steps(tick, RESAMPLES + 2 * len(averaged))
    found = []
    for table in averaged:
        found.append(_of_table(table, seed, steps))
        steps.next()
    methods = _methods_for_numbers if tables[0].kind == "continuous" else _methods_for_categories
    graphs: dict[str, list[np.ndarray]] = {}
    for t in range(RESAMPLES):
        steps.next()
        rows = resampled(tables[t % len(tables)], seed, (t,))
        for name, marks in methods(rows, seed + t, steps).items():
            graphs.setdefault(name, []).append(marks)
    posteriors = []
    for table in averaged:
        steps.next()
        run = learn("order_mcmc", table, steps=CHAIN_STEPS, run_on=0, seed=seed, tick=steps)
        posteriors.append(run.posterior)
        steps.check()
    n, p = tables[0].n, tables[0].p
    pags, of_pairs, of_table = zip(*found, strict=True)
    return ClaimEvidence(
        {name: _shares(np.array(marks)) for name, marks in graphs.items()},
        np.mean([one.compelled for one in posteriors], axis=0),
        np.mean([one.adjacent for one in posteriors], axis=0),
        pags,
        {name: np.mean([one[name] for one in of_pairs], axis=0) for name in of_pairs[0]},
        {name: float(np.mean([one[name] for one in of_table])) for name in of_table[0]}
        | {"ln rows": math.log(n), "ln columns": math.log(p)},
        n,
        p,
        RESAMPLES,
    )


Signs = tuple[PAG, dict[str, np.ndarray], dict[str, float]]


def _of_table(table: Dataset, seed: int, steps: _Steps) -> Signs:
    """Return the signs of a table, from the DAG of BOSS."""
    best = learn("boss", table, seed=seed, tick=steps)
    steps.check()
    signs = _signs_of_numbers if table.kind == "continuous" else _signs_by_tests
    return signs(table, best.extra.dag, steps)


def _signs_of_numbers(dataset: Dataset, dag: PDAG, tick: Tick) -> Signs:
    found = mag_from_dag(dataset, dag, max_moves=MAX_MOVES_OF_ALL, tick=tick)
    signs = table_signs(dataset, dag, found)
    curvature = curvatures(dataset, dag)
    of_pairs = {
        "z given parents": np.minimum(signs.direct, LARGEST_Z),
        "smallest z": np.minimum(signs.smallest, LARGEST_Z),
        "curvature of the pair": np.minimum(np.maximum(curvature, curvature.T), 20.0),
    }
    of_table = {
        "gain of the MAG": math.log1p(max(signs.gain, 0.0)),
        "separable edges": signs.separable,
        "edges of two arrowheads": math.log1p(signs.bidirected),
        "implied independences": math.log1p(max(signs.implied, 0.0)),
        "curvature": math.log1p(float(curvature.max(initial=0.0))),
        "serial rows": math.log1p(signs.serial),
        "determined": signs.determined,
        "quartets": math.log1p(len(signs.quartets)),
    }
    return pag_of_mag(found.mag), of_pairs, of_table


def _signs_by_tests(dataset: Dataset, dag: PDAG, tick: Tick) -> Signs:
    signs = signs_by_tests(dataset, dag, tick=tick)
    of_pairs = {
        "z given parents": np.minimum(signs.direct, LARGEST_Z),
        "smallest z": np.minimum(signs.smallest, LARGEST_Z),
    }
    of_table = {
        "separable edges": signs.separable,
        "edges of two arrowheads": math.log1p(signs.bidirected),
        "implied independences": math.log1p(max(signs.implied, 0.0)),
        "edges a column": signs.edges / dag.p,
    }
    return signs.pag, of_pairs, of_table


def _methods_for_numbers(rows: Dataset, seed: int, steps: _Steps) -> dict[str, np.ndarray]:
    """Return the marks of the graph that each method finds."""
    run = _boss(rows, seed, steps)
    mag = mag_from_dag(rows, run.extra.dag, max_moves=MAX_MOVES, tick=steps).mag
    return {"BOSS": _marks(run), "MAG": pag_of_mag(mag).marks} | _fci(rows, steps)


def _methods_for_categories(rows: Dataset, seed: int, steps: _Steps) -> dict[str, np.ndarray]:
    """Return the marks of the graph that each method finds."""
    run = _boss(rows, seed, steps)
    return {"BOSS": _marks(run), "BOSS-FCI": _marks(boss_fci(rows, seed, steps))} | _fci(rows, steps)


def _boss(rows: Dataset, seed: int, steps: _Steps) -> LearnResult:
    run = learn("boss", rows, restarts=0, seed=seed, tick=steps)
    steps.check()
    return run


def _fci(rows: Dataset, tick: Tick) -> dict[str, np.ndarray]:
    loose = learn("fci", rows, alpha=0.01, colliders="max", possible_d_sep=False, tick=tick)
    strict = learn("fci", rows, alpha=0.001, possible_d_sep=False, tick=tick)
    return {"FCI .01": _marks(loose), "FCI .001": _marks(strict)}


class _Steps:
    """Progress listener of the runs of the evidence: it reports whole resamples and stays cancelled after a cancel."""

    def __init__(self, tick: Tick, total: int) -> None:
        self._tick, self._done, self._total, self._wanted = tick, 0, total, True

    def __call__(self, _phase: str, _done: int, _total: int) -> bool:
        self._wanted = self._wanted and self._tick(PHASE, self._done, self._total)
        return self._wanted

    def next(self) -> None:
        """Count a step; raise `Stopped` if cancelled."""
        self._done += 1
        self.check()

    def check(self) -> None:
        """Raise `Stopped` if cancelled."""
        if not self("", 0, 0):
            raise Stopped


def _marks(run: LearnResult) -> np.ndarray:
    """Return the marks of the graph of a run; those of a CPDAG's arrows are a tail and an arrowhead."""
    graph = run.graph
    if isinstance(graph, PAG):
        return graph.marks
    amat = np.asarray(graph.amat)
    return np.select([amat & amat.T, amat, amat.T], [1, ARROW, TAIL], NONE)


def _shares(marks: np.ndarray) -> Shares:
    head = marks == ARROW
    arrow = head & (np.swapaxes(marks, 1, 2) == TAIL)
    return Shares(arrow.mean(axis=0), head.mean(axis=0), (marks > NONE).mean(axis=0))


def candidates(evidence: ClaimEvidence, claim: Claim) -> np.ndarray:
    """Return the ordered pairs that are judged, (m, 2) int64; pairs i < j for adjacency."""
    shares = evidence.shares.values()
    if claim == "adjacent":
        found = np.triu(np.maximum.reduce([one.adjacent for one in shares] + [evidence.adjacent]) >= MIN_SHARE, 1)
    elif claim == "cause":
        found = np.maximum.reduce([one.arrow for one in shares] + [evidence.compelled]) >= MIN_SHARE
    else:  # a head at j: j does not cause i
        found = np.maximum.reduce([one.head for one in shares] + [evidence.compelled]) >= MIN_SHARE
    found = found.copy()
    np.fill_diagonal(found, val=False)
    return np.argwhere(found)


def features(evidence: ClaimEvidence, pairs: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the features of ordered pairs, (m, k) float64, and their names."""
    i, j = pairs.T
    columns: dict[str, np.ndarray] = {}
    for name, one in evidence.shares.items():
        columns[f"{name}: arrow"] = _log_odds(one.arrow[i, j])
        columns[f"{name}: arrow back"] = _log_odds(one.arrow[j, i])
        columns[f"{name}: head"] = _log_odds(one.head[i, j])
        columns[f"{name}: head back"] = _log_odds(one.head[j, i])
        columns[f"{name}: adjacent"] = _log_odds(one.adjacent[i, j])
    columns["order MCMC: arrow"] = _log_odds(evidence.compelled[i, j])
    columns["order MCMC: arrow back"] = _log_odds(evidence.compelled[j, i])
    columns["order MCMC: adjacent"] = _log_odds(evidence.adjacent[i, j])
    of_all = _shares(np.array([pag.marks for pag in evidence.pags]))
    columns["PAG: arrow"] = of_all.arrow[i, j]
    columns["PAG: head"] = of_all.head[i, j]
    columns["PAG: head back"] = of_all.head[j, i]
    columns["PAG: adjacent"] = of_all.adjacent[i, j]
    columns |= {name: values[i, j] for name, values in evidence.of_pairs.items()}
    columns |= {name: np.full(len(pairs), value) for name, value in evidence.of_table.items()}
    return np.nan_to_num(np.column_stack(list(columns.values()))), tuple(columns)


def _log_odds(share: np.ndarray) -> np.ndarray:
    return np.log((share + 0.02) / (1.02 - share))


def curvatures(dataset: Dataset, dag: PDAG) -> np.ndarray:
    """Return (p, p) |z| of the square of i in the residual of j given its parents; 0 on the diagonal.

    The statistic is robust to unequal variances (White 1980). Long tables are thinned evenly.
    """
    step = math.ceil(dataset.n_rows * dataset.p**2 / MAX_WORK)
    cells = standardized_cells(dataset).T[::step]
    n, p = cells.shape
    squares = cells**2
    found = np.zeros((p, p))
    for j in range(p):
        basis = np.linalg.qr(np.column_stack([np.ones(n), cells[:, list(dag.parents(j))]]))[0]
        residual = cells[:, j] - basis @ (basis.T @ cells[:, j])
        left = squares - basis @ (basis.T @ squares)
        size = np.sqrt((residual**2) @ (left**2))
        found[:, j] = np.abs(residual @ left) / np.maximum(size, 1e-9)
    np.fill_diagonal(found, 0.0)
    return found
