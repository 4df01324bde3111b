"""Exact inference in networks of probability tables, by lazy propagation in a junction tree (pyAgrum)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from ...common.errors import DataError
from ...common.optional_packages import require
from ...common.wording import quoted
from ...graphs.graph import PDAG
from .answers import Beliefs, MostProbableExplanation, ValueOfInformation
from .elimination import Factor, log_total, most_probable_assignment
from .evidence import Evidence, ImpossibleEvidence, States, impossible_evidence

DIGITS = 12  # number of digits to which probabilities are rounded
MIN_PROBABILITY = 1e-290  # smallest reliable probability of the evidence
FEW_FINDINGS = 20  # number of findings below which only evidence of probability 0 is refused
MAX_CELLS = 100_000_000  # maximum total number of cells of all cliques of the junction tree: some seconds, below 2 GB


class JunctionTreeInference:
    """Inference for probability tables.

    Parameters
    ----------
    names : sequence of str
    states : tuple of tuple of str
        Names of the levels of each node.
    dag : PDAG
    cpts : sequence of (q_j, r_j) float64 arrays

    References
    ----------
    Madsen and Jensen (1999), Lazy propagation: a junction tree inference algorithm based on lazy evaluation, Artificial
    Intelligence 113.
    """

    def __init__(self, names: Sequence[str], states: States, dag: PDAG, cpts: Sequence[np.ndarray]) -> None:
        self.names, self.states, self.dag, self.cpts = names, states, dag, cpts

    def posterior(self, evidence: Evidence) -> Beliefs:
        """Return the distribution of every variable; without evidence it is propagated once."""
        if not evidence.nodes:
            return Beliefs({name: values.copy() for name, values in self._prior.items()}, 0.0)
        engine, log_evidence = self._engine(evidence)
        return Beliefs(self._beliefs(engine), log_evidence)

    def distribution(self, evidence: Evidence, j: int) -> np.ndarray:
        """Return the (r,) probabilities of one variable."""
        return self._beliefs(self._engine(evidence, [j])[0], [j])[self.names[j]]

    def log_probability(self, evidence: Evidence) -> float:
        """Return the log probability of the evidence; -inf if it is impossible."""
        if len(evidence.known) == len(self.names):
            return self._log_of_case(evidence.known)
        try:
            return self._engine(evidence, [])[1]
        except ImpossibleEvidence:
            return -math.inf

    def most_probable(self, evidence: Evidence) -> MostProbableExplanation:
        """Return one assignment of highest probability."""
        log_evidence = self._engine(evidence, [])[1]
        best, log_best = most_probable_assignment(self._factors(evidence), self.order)
        case = {name: self.states[j][best.get(j, evidence.known.get(j, 0))] for j, name in enumerate(self.names)}
        return MostProbableExplanation(case, log_best - log_evidence)

    def value_of_information(self, j: int, evidence: Evidence) -> list[ValueOfInformation]:
        """Return the mutual information of each unknown variable with j, given the evidence, in descending order."""
        now = self.posterior(evidence)
        target = now[self.names[j]]
        bits = dict.fromkeys((k for k in range(len(self.names)) if k != j and k not in evidence.known), 0.0)
        for level in np.flatnonzero(target):
            then = self.posterior(evidence.also(j, int(level)))
            for k in bits:
                a, b = then[self.names[k]], now[self.names[k]]
                seen = (a > 0) & (b > 0)
                bits[k] += target[level] * float(np.sum(a[seen] * np.log2(a[seen] / b[seen])))
        found = [ValueOfInformation(self.names[k], max(0.0, float(value))) for k, value in bits.items()]
        return sorted(found, key=lambda one: -one.bits)

    def _log_of_case(self, case: dict[int, int]) -> float:
        """Return the log probability of a complete case."""
        with np.errstate(divide="ignore"):
            return float(sum(np.log(self.cpts[j][self._row(j, case), case[j]]) for j in range(len(self.names))))

    def _row(self, j: int, case: dict[int, int]) -> int:
        row = 0
        for i in self.dag.parents(j):
            row = row * len(self.states[i]) + case[i]
        return row

    def _engine(self, evidence: Evidence, targets: Sequence[int] | None = None) -> tuple[Any, float]:
        """Return pyAgrum's engine after propagation, for all or some targets, and ln P(evidence)."""
        self._allow(evidence)
        engine, probability = self._propagated(self._network, evidence, targets)
        if engine is not None:
            return engine, math.log(_rounded(np.array(probability))) if evidence.nodes else 0.0
        log_evidence = (
            -math.inf if len(evidence.nodes) < FEW_FINDINGS else log_total(self._factors(evidence), self.order)
        )
        if log_evidence == -math.inf:
            raise self._impossible(evidence)
        # Possible, but too small for a float: rescale the table of each known variable, which changes no answer.
        engine, _ = self._propagated(self._network_of(self._raised(evidence)), evidence, targets)
        if engine is None and targets != []:
            raise DataError(
                f"the evidence on {len(evidence.nodes):,} variables is too improbable for reliable answers; "
                "remove some of it"
            )
        return engine, log_evidence

    def _raised(self, evidence: Evidence) -> list[np.ndarray]:
        """Return the tables, with those of known variables scaled so that their largest consistent entry is 1."""
        found = list(self.cpts)
        for j in evidence.known:
            scope = [*self.dag.parents(j), j]
            table = self.cpts[j].reshape([len(self.states[i]) for i in scope])
            found[j] = self.cpts[j] / table[tuple(evidence.known.get(i, slice(None)) for i in scope)].max()
        return found

    def _propagated(self, network: Any, evidence: Evidence, targets: Sequence[int] | None) -> tuple[Any | None, float]:
        """Return the engine after propagation and P(evidence); no engine if that is 0, or too small."""
        pyagrum = _pyagrum()
        engine = pyagrum.LazyPropagation(network)
        engine.setNumberOfThreads(1)  # same order of summation on every machine
        if targets is not None:
            engine.setTargets({str(j) for j in targets})
        given = {str(j): likely.tolist() for j, likely in evidence.likely.items()}
        engine.setEvidence({str(j): int(level) for j, level in evidence.known.items()} | given)
        try:
            # Asked for first, because it propagates for itself; after `makeInference` it would propagate again.
            probability = engine.evidenceProbability() if evidence.nodes else 1.0
            engine.makeInference()
        except pyagrum.IncompatibleEvidence:
            return None, 0.0
        least = MIN_PROBABILITY if len(evidence.nodes) >= FEW_FINDINGS else 0.0
        return (engine, probability) if probability > least else (None, probability)

    @cached_property
    def _prior(self) -> dict[str, np.ndarray]:
        """Distribution of every variable without evidence."""
        return self._beliefs(self._engine(Evidence({}, {}))[0])

    def _beliefs(self, engine: Any, nodes: Sequence[int] | None = None) -> dict[str, np.ndarray]:
        """Return the distribution of some nodes, by default of all, rounded at once."""
        nodes = range(len(self.names)) if nodes is None else nodes
        found = [np.ones(1) if len(self.states[j]) == 1 else engine.posterior(str(j)).toarray().ravel() for j in nodes]
        ends = np.cumsum([len(one) for one in found])
        rounded = np.split(_rounded(np.concatenate(found)), ends[:-1])
        return {self.names[j]: values for j, values in zip(nodes, rounded, strict=True)}

    def _impossible(self, evidence: Evidence) -> ImpossibleEvidence:
        """Return the error for impossible evidence."""
        before = self.posterior(Evidence({}, {}))
        never = [j for j, level in evidence.known.items() if before[self.names[j]][level] == 0.0]
        never += [j for j, likely in evidence.likely.items() if not (before[self.names[j]] * likely).any()]
        return impossible_evidence(self.names, self.states, evidence, never)

    def _factors(self, evidence: Evidence) -> list[Factor]:
        """Return the log of each table, restricted to the evidence."""
        found = []
        for j in range(len(self.names)):
            scope = (*self.dag.parents(j), j)
            table = self.cpts[j].reshape([len(self.states[i]) for i in scope])
            with np.errstate(divide="ignore"):
                table = np.log(table[tuple(evidence.known.get(i, slice(None)) for i in scope)])
            found.append((tuple(i for i in scope if i not in evidence.known), table))
        with np.errstate(divide="ignore"):
            return found + [((j,), np.log(likely)) for j, likely in evidence.likely.items()]

    @cached_property
    def order(self) -> list[int]:
        """Elimination order that keeps tables small."""
        pyagrum = _pyagrum()
        return [int(j) for j in pyagrum.JunctionTreeGenerator().eliminationOrder(self._network)]

    @cached_property
    def _network(self) -> Any:
        return self._network_of(self.cpts)

    def _network_of(self, tables: Sequence[np.ndarray]) -> Any:
        """Return pyAgrum's network, with numbers as names of nodes and levels, so that no name is misread."""
        pyagrum = _pyagrum()
        network = pyagrum.BayesNet()
        for j, levels in enumerate(self.states):
            network.add(pyagrum.RangeVariable(str(j), "", 0, len(levels) - 1))
        for j, table in enumerate(tables):
            for i in reversed(self.dag.parents(j)):  # the first parent varies fastest in pyAgrum
                network.addArc(i, j)
            network.cpt(j).fillWith(table.ravel().tolist())
        return network

    @cached_property
    def _cliques(self) -> list[list[int]]:
        pyagrum = _pyagrum()
        tree = pyagrum.JunctionTreeGenerator().junctionTree(self._network)
        return [sorted(tree.clique(k)) for k in tree.nodes()]

    def _allow(self, evidence: Evidence) -> None:
        """Refuse queries that would take too long, and name the largest clique."""
        free = [[j for j in clique if j not in evidence.known] for clique in self._cliques]
        cells = [math.prod(len(self.states[j]) for j in clique) for clique in free]
        if sum(cells) > MAX_CELLS:
            widest = free[int(np.argmax(cells))]
            raise DataError(
                f"an exact answer needs tables of {sum(cells):,} cells, more than {MAX_CELLS:,}: {len(widest)} "
                f"variables form one clique, {quoted(self.names[j] for j in widest)}; add evidence on some of these"
            )


def _rounded(values: np.ndarray) -> np.ndarray:
    """Round to twelve digits, because pyAgrum's order of summation differs between copies of a network."""
    scale = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.maximum(values, 1e-290))))
    return np.round(values * scale) / scale


def _pyagrum() -> ModuleType:
    return require("pyagrum", "A query of a network of categorical variables", "inference")
