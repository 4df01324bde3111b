"""Directions of undirected edges by the shapes of the noise, if the noise is not normal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..common.errors import ParameterError
from ..common.sentences import Count, Phrase, Quoted, Sentence, phrase, say
from ..common.validation import validated
from ..data.dataset import Dataset
from ..graphs.equivalence_class import components, each_dag
from ..graphs.graph import PDAG
from ..graphs.pag import PAG
from ..results.result import LearnResult
from .assumptions import ALIKE, Assumptions, alike, check_assumptions, complete_rows
from .noise_densities import best_log_density
from .serial_rows import MAX_SERIAL
from .table_signs import serial_dependence

MIN_ROWS = 100
NOT_TRIED = "non-normal noise was not used to direct edges, because {reason}"
NONE_USABLE = "the undirected edges involve categorical columns, or columns that others determine"
MAX_DAGS = 300  # maximum number of DAGs of one undirected component
MIN_Z = 3.0  # minimum z of the comparison of the two directions
MIN_GAIN = 1e-3  # minimum difference of the log-likelihoods; a smaller one is rounding
MAX_DEPENDENCE = 3.5  # maximum |z| of a cross-moment of residual and parent
MAX_P_NORMAL = 0.001
MAX_SCORE = 4.0  # number of standard deviations at which residuals and parents are clipped for the cross-moments


@dataclass(frozen=True)
class NoiseDirection:
    """The direction of an undirected edge that fits the noise better.

    Attributes
    ----------
    source, target : int
        The edge as source -> target.
    z : float
        Vuong's statistic of the best DAGs with either direction, at least 0; larger if this direction fits better.
    parents, other_parents : tuple of int
        Parents of the target in the best DAG with this direction, and of the source in the best one with the other.
    p_normal : float
        p-value of normal noise (Jarque and Bera), the smaller one of the two residuals.
    dependence : float
        Largest |z| of a cross-moment of the target's residual and the source.
    reason : Phrase or None
        Reason why the noise settles nothing, without a capital or a full stop; None if it settles the direction.
    """

    source: int
    target: int
    z: float
    parents: tuple[int, ...]
    other_parents: tuple[int, ...]
    p_normal: float
    dependence: float
    reason: Phrase | None

    @property
    def settled(self) -> bool:
        """True if the noise settles the direction."""
        return self.reason is None


@dataclass(frozen=True)
class NoiseDirections:
    """Directions by noise of all undirected edges of a graph.

    Attributes
    ----------
    names : tuple of str
        The variables.
    edges : tuple of NoiseDirection
        One for each undirected edge that was compared; the largest z first.
    skipped : tuple of Phrase
        Reasons why other edges were not compared, as sentences without a capital or a full stop.
    """

    names: tuple[str, ...]
    edges: tuple[NoiseDirection, ...] = ()
    skipped: tuple[Phrase, ...] = ()

    @property
    def settled(self) -> tuple[NoiseDirection, ...]:
        """The edges whose direction the noise settles."""
        return tuple(edge for edge in self.edges if edge.settled)

    def of_pair(self, i: int, j: int) -> NoiseDirection | None:
        """Return the comparison of a pair in either order; None if there is none."""
        return next((edge for edge in self.edges if {edge.source, edge.target} == {i, j}), None)

    def sentences(self) -> list[Phrase]:
        """Return sentences on the directions that the noise suggests, and on the edges that were not compared."""
        found = []
        if self.edges:
            template = "non-normal noise suggests a direction for {n} of {k} undirected edges that could be compared"
            if len(self.edges) == 1 and self.settled:
                template = "non-normal noise suggests a direction for the only undirected edge that could be compared"
            elif len(self.edges) == 1:
                template = "non-normal noise suggests no direction for the only undirected edge that could be compared"
            found.append(phrase(template, n=len(self.settled) or say("none"), k=len(self.edges)))
        found += [self.sentence(edge) for edge in self.settled]
        return [*found, *self.skipped]

    def sentence(self, edge: NoiseDirection) -> Phrase:
        """Return a sentence on the direction of an edge, without a capital or a full stop."""
        if edge.settled:
            source, target = (Quoted([self.names[end]]) for end in (edge.source, edge.target))
            return phrase(
                "{source} → {target} fits the noise better than the opposite direction (z = {z})",
                source=source, target=target, z=f"{edge.z:.1f}",
            )  # fmt: skip
        return phrase("the noise does not settle the direction of this edge, because {reason}", reason=edge.reason)


@validated
def directions_by_noise(
    result: LearnResult, dataset: Dataset, *, assumptions: Assumptions | None = None
) -> NoiseDirections:
    """Compare the two directions of each undirected edge by the shapes of the noise.

    DAGs of one equivalence class fit equally well if the noise is normal. Otherwise, the true direction leaves
    residuals that are independent of the parents and farther from normal. Each connected set of undirected edges gets
    all orientations that the class allows. The residuals of a DAG get the best of five densities, and the best DAGs
    with either direction of an edge are compared by Vuong's test.

    A direction is settled if z >= 3, a residual of the pair is not normal (Jarque and Bera, p < 0.001), and five
    cross-moments show no dependence between the residual of the child and the parent (|z| < 3.5). A hidden common cause
    makes them dependent in most cases, not in all.

    Parameters
    ----------
    result : LearnResult
        A run whose graph is a DAG, a CPDAG or another PDAG.
    dataset : Dataset
        The data of the run. Rows with missing cells are left out.
    assumptions : Assumptions, optional
        Result of `check_assumptions` for this run, if known.

    Returns
    -------
    NoiseDirections
        Nothing is compared if relations are nonlinear or drifting, rows depend on one another or have weights, or there
        are fewer than 100 complete rows. Edges of categorical columns, with categorical parents, or of columns that
        determine one another are left out.

    References
    ----------
    Shimizu, Hoyer, Hyvärinen and Kerminen (2006), A linear non-Gaussian acyclic model for causal discovery. JMLR 7.
    Hoyer et al. (2008), Causal discovery of linear acyclic models with arbitrary distributions. UAI. Vuong (1989),
    Likelihood ratio tests for model selection and non-nested hypotheses. Econometrica 57.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import Dataset, directions_by_noise, learn
    >>> noise = np.random.default_rng(0).uniform(-1, 1, (1000, 2))
    >>> data = Dataset.from_values(np.column_stack([noise[:, 0], noise[:, 0] + noise[:, 1]]), ["x", "y"])
    >>> [(edge.source, edge.target) for edge in directions_by_noise(learn("ges", data), data).settled]
    [(0, 1)]
    """
    if tuple(sorted(result.names)) != tuple(sorted(dataset.names)):
        raise ParameterError("the result must be of this data set; pass the data that it was learned from")
    names, graph = result.names, result.graph
    if isinstance(graph, PAG) or not graph.undirected_edges():
        return NoiseDirections(names)
    dataset = dataset.reordered([dataset.index(name) for name in names])
    determined = {j for group in result.determined for j in (group.target, *group.by)}
    usable = [
        part
        for part in components(graph.amat & graph.amat.T)
        if _is_numeric(dataset, graph, part) and not determined & set(part)
    ]
    if not usable:
        return NoiseDirections(names, (), (phrase(NOT_TRIED, reason=say(NONE_USABLE)),))
    found = assumptions or check_assumptions(dataset, result)
    rows = complete_rows(dataset)
    if reason := _why_silent(found, rows):
        return NoiseDirections(names, (), (phrase(NOT_TRIED, reason=reason),))
    residuals, edges, skipped = _Residuals(rows), [], []
    for part in usable:
        dags = list(islice(each_dag(_within(graph, part)), MAX_DAGS + 1))
        if not dags or len(dags) > MAX_DAGS:
            skipped.append(
                phrase(
                    "undirected edges of {listed} were not compared, because {reason}",
                    listed=Quoted([names[j] for j in part]),
                    reason=say("more than {n} DAGs orient them", n=MAX_DAGS) if dags else say("no DAG fits them"),
                )
            )
            continue
        edges += _compared(residuals, dags, part)
    edges.sort(key=lambda edge: (not edge.settled, -edge.z, names[edge.source], names[edge.target]))
    return NoiseDirections(names, tuple(edges), tuple(skipped))


def _is_numeric(dataset: Dataset, graph: PDAG, part: list[int]) -> bool:
    """Return True if the members of a component and their parents are numeric."""
    return all(dataset.kinds[k] == "continuous" for j in part for k in (j, *graph.parents(j)))


def _why_silent(found: Assumptions, rows: Dataset) -> Sentence | None:
    """Return the reason why no direction is compared; None if directions are compared."""
    if found.serial is not None:
        return ALIKE.sentence
    if found.violations:
        nonlinear = found.violations[0].kind == "nonlinear"
        return say("relations seem nonlinear") if nonlinear else say("relations change along the rows")
    if rows.surveyed or rows.groups is not None:
        return say("the rows have weights or depend on one another")
    if rows.n_rows < MIN_ROWS:
        return say("only {rows} of {n} needed have all cells", rows=Count(rows.n_rows, "row"), n=MIN_ROWS)
    numbers = [j for j, kind in enumerate(rows.kinds) if kind == "continuous"]
    serial = serial_dependence(np.column_stack([_values(rows, j) for j in numbers]))
    if serial.max(initial=0.0) > MAX_SERIAL:
        most = rows.names[numbers[int(serial.argmax())]]
        return alike([most]).sentence
    return None


def _values(rows: Dataset, j: int) -> np.ndarray:
    return rows.values[:, rows.place[j]]


def _within(graph: PDAG, part: list[int]) -> PDAG:
    """Return the graph of the members of a component and the arrows into them."""
    kept = np.zeros_like(graph.amat)
    kept[:, part] = graph.amat[:, part]
    inside = np.ix_(part, part)
    kept[inside] = graph.amat[inside]
    return PDAG(kept)


class _Residuals:
    """Residuals of regressions and their log densities, computed once each."""

    def __init__(self, rows: Dataset) -> None:
        self.rows = rows
        self._residuals: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}
        self._densities: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}

    def residual(self, j: int, parents: tuple[int, ...]) -> np.ndarray:
        """Return the residual of a column given its parents, (n,) float64."""
        if (j, parents) not in self._residuals:
            self._residuals[j, parents] = residual(self.rows, j, parents)
        return self._residuals[j, parents]

    def log_density(self, j: int, parents: tuple[int, ...]) -> np.ndarray:
        """Return the log density of each residual, (n,) float64."""
        if (j, parents) not in self._densities:
            self._densities[j, parents] = best_log_density(self.residual(j, parents))
        return self._densities[j, parents]


def residual(dataset: Dataset, j: int, parents: tuple[int, ...]) -> np.ndarray:
    """Return the residual of a numeric column given numeric parents by least squares, (n,) float64.

    Parameters
    ----------
    dataset : Dataset
        Without missing cells in these columns.
    j : int
    parents : tuple of int
    """
    y = _values(dataset, j)
    design = np.column_stack([np.ones(len(y)), *(_values(dataset, k) for k in parents)])
    return y - design @ np.linalg.lstsq(design, y, rcond=None)[0]


def _compared(residuals: _Residuals, dags: list[PDAG], part: list[int]) -> Iterator[NoiseDirection]:
    """Yield the better direction of each edge that the DAGs of a component direct differently."""
    fits = [sum(float(residuals.log_density(j, dag.parents(j)).sum()) for j in part) for dag in dags]
    for i, j in sorted({(min(edge), max(edge)) for dag in dags for edge in dag.directed_edges()}):
        if j not in part or i not in part:
            continue
        best = [max((k for k, dag in enumerate(dags) if dag.amat[edge]), key=fits.__getitem__, default=None)
                for edge in ((i, j), (j, i))]  # fmt: skip
        if None in best:
            continue  # an arrow that knowledge or the class fixes
        yield _direction(residuals, part, (i, j), dags[best[0]], dags[best[1]])


def _direction(
    residuals: _Residuals, part: list[int], pair: tuple[int, int], forward: PDAG, backward: PDAG
) -> NoiseDirection:
    """Compare the best DAG that has i -> j with the best one that has j -> i."""
    gain = sum(
        residuals.log_density(k, forward.parents(k)) - residuals.log_density(k, backward.parents(k))
        for k in part
        if forward.parents(k) != backward.parents(k)
    )
    total, spread = float(gain.sum()), float(gain.std()) * math.sqrt(len(gain))
    # Two normal fits have the same density at each row, except for rounding.
    z = abs(total) / spread if abs(total) > MIN_GAIN else 0.0
    keeps = total > 0 if z else residuals.rows.names[pair[0]] < residuals.rows.names[pair[1]]
    (source, target), best, other = (pair, forward, backward) if keeps else (pair[::-1], backward, forward)
    noise = residuals.residual(target, best.parents(target))
    p_normal = min(normal_p(noise), normal_p(residuals.residual(source, best.parents(source))))
    dependence = cross_moments(noise, _values(residuals.rows, source))
    reason = None
    if p_normal >= MAX_P_NORMAL:
        reason = phrase("it is close to normal")
    elif z < MIN_Z:
        reason = phrase("both directions fit nearly equally well (z = {z})", z=f"{z:.1f}")
    elif dependence >= MAX_DEPENDENCE:
        reason = phrase("it depends on the cause in both directions, as it does with a hidden common cause")
    return NoiseDirection(
        source, target, z, best.parents(target), other.parents(source), p_normal, dependence, reason
    )  # fmt: skip


def normal_p(noise: np.ndarray) -> float:
    """Return the p-value of normal noise by its skewness and kurtosis (Jarque and Bera 1987)."""
    scores = (noise - noise.mean()) / noise.std()
    skewness, excess = float((scores**3).mean()), float((scores**4).mean()) - 3.0
    return math.exp(-len(noise) / 12.0 * (skewness**2 + excess**2 / 4.0))


def cross_moments(noise: np.ndarray, parent: np.ndarray) -> float:
    """Return the largest |z| of five cross-moments that vanish if noise and parent are independent.

    Parameters
    ----------
    noise, parent : (n,) float64 array
    """
    e, x = (np.clip((v - v.mean()) / v.std(), -MAX_SCORE, MAX_SCORE) for v in (noise, parent))
    pairs = ((np.abs(e), x), (e, np.abs(x)), (np.abs(e), np.abs(x)), (e**2, x), (np.tanh(e), np.tanh(x)))
    products = [(f - f.mean()) * (g - g.mean()) for f, g in pairs]
    return max(abs(float(one.mean())) / max(float(one.std()), 1e-12) * math.sqrt(len(e)) for one in products)
