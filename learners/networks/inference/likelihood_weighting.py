"""Approximate inference in mixed networks by likelihood weighting: random cases, weighted by the evidence."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from scipy.special import logsumexp

from ...common.errors import DataError
from ...graphs.graph import PDAG, topological_order
from .answers import Beliefs, Moments, MostProbableExplanation, ValueOfInformation
from .evidence import Evidence, ImpossibleEvidence, States, impossible_evidence

DRAWS, MAX_ROUNDS = 20_000, 10  # cases per round, and maximum number of rounds
ENOUGH_DRAWS = 4_000.0  # target of the effective sample size
BINS = 10  # number of equal-frequency bins of a number for mutual information

Conditional = tuple[np.ndarray, np.ndarray] | np.ndarray  # (n,) means and variances, or (n, r) probabilities


class ConditionalModel(Protocol):
    """Network whose nodes can be drawn given their parents."""

    names: tuple[str, ...]
    states: States
    dag: PDAG

    def conditional(self, j: int, columns: np.ndarray) -> Conditional:
        """Return the distribution of node j given the (p, n) levels and numbers of the others."""


class LikelihoodWeighting:
    """Inference for mixed networks. Equal queries have equal answers, because the seed is fixed.

    Parameters
    ----------
    network : ConditionalModel
    draws : int
        Cases of a round.
    enough : float
        Effective sample size after which no further round follows.

    References
    ----------
    Fung and Chang (1990), Weighing and integrating evidence for stochastic simulation in Bayesian networks, UAI 5.
    Owen (2013), Monte Carlo theory, methods and examples, section 9.2, on the errors.
    """

    def __init__(self, network: ConditionalModel, draws: int = DRAWS, enough: float = ENOUGH_DRAWS) -> None:
        self.network, self.names, self.states = network, network.names, network.states
        self.draws, self.enough = draws, enough
        self.order = topological_order(network.dag)

    def posterior(self, evidence: Evidence) -> Beliefs:
        """Return the distribution or moments of every variable, with standard errors."""
        columns, log_weights = self._drawn(evidence)
        total = logsumexp(log_weights)
        weights = np.exp(log_weights - total)
        found, error = {}, {}
        for j, name in enumerate(self.names):
            found[name], error[name] = _estimate(columns[j], weights, len(self.states[j]))
            if j in evidence.known and not self.states[j]:  # exact, without rounding
                found[name], error[name] = Moments(float(evidence.known[j]), 0.0), 0.0
        log_evidence = float(total) - math.log(len(weights)) if evidence.nodes else 0.0
        return Beliefs(found, log_evidence, error, 1 / float(weights @ weights))

    def distribution(self, evidence: Evidence, j: int) -> np.ndarray | Moments:
        """Return the probabilities, or mean and variance, of one variable."""
        return self.posterior(evidence)[self.names[j]]

    def log_probability(self, evidence: Evidence) -> float:
        """Return the log probability of the evidence: exact for a complete case, otherwise an estimate."""
        if len(evidence.known) < len(self.names):
            try:
                return self.posterior(evidence).log_probability
            except ImpossibleEvidence:
                return -math.inf
        columns = np.array([[float(evidence.known[j])] for j in range(len(self.names))])
        return float(sum(_log_density(self.network.conditional(j, columns), columns[j])[0] for j in self.order))

    def most_probable(self, _: Evidence) -> MostProbableExplanation:
        """Refuse the query, because random cases do not find the most probable case reliably."""
        raise DataError(
            "random cases rarely include the most probable one, and numbers with categories have no exact answer. Use "
            "the distribution of each variable"
        )

    def value_of_information(self, j: int, evidence: Evidence) -> list[ValueOfInformation]:
        """Return the mutual information of each unknown variable with j, numbers in ten bins, in descending order."""
        columns, log_weights = self._drawn(evidence)
        weights = np.exp(log_weights - logsumexp(log_weights))
        label = [_binned(columns[k], len(self.states[k])) for k in range(len(self.names))]
        found = [
            ValueOfInformation(self.names[k], _bits(label[j], label[k], weights))
            for k in range(len(self.names))
            if k != j and k not in evidence.known
        ]
        return sorted(found, key=lambda one: -one.bits)

    def _drawn(self, evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
        """Draw (p, n) cases and their (n,) log weights, in rounds until the effective sample size is reached."""
        rounds: list[tuple[np.ndarray, np.ndarray]] = []
        rng = np.random.default_rng(np.random.SeedSequence([0]))
        while len(rounds) < MAX_ROUNDS:
            rounds.append(self._round(evidence, rng))
            log_weights = np.concatenate([one[1] for one in rounds])
            if np.isneginf(log_weights).all():
                continue
            if 2 * logsumexp(log_weights) - logsumexp(2 * log_weights) >= math.log(self.enough):
                break
        if np.isneginf(log_weights).all():
            never = [j for j in evidence.nodes if np.isneginf(self._round(evidence.alone(j), rng)[1]).all()]
            raise impossible_evidence(
                self.names, self.states, evidence, never if len(evidence.nodes) > 1 else evidence.nodes
            )
        return np.concatenate([one[0] for one in rounds], axis=1), log_weights

    def _round(self, evidence: Evidence, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        columns, log_weights = np.zeros((len(self.names), self.draws)), np.zeros(self.draws)
        for j in self.order:
            given = self.network.conditional(j, columns)
            if j in evidence.known:
                columns[j] = evidence.known[j]
                log_weights += _log_density(given, columns[j])
            else:
                columns[j] = drawn(given, rng)
            if j in evidence.likely:
                log_weights += _log_likelihood(evidence.likely[j], columns[j], len(self.states[j]))
        return columns, log_weights


def drawn(given: Conditional, rng: np.random.Generator) -> np.ndarray:
    """Draw one number or level from each of n distributions."""
    if isinstance(given, tuple):
        mean, variance = given
        return mean + np.sqrt(variance) * rng.standard_normal(len(mean))
    cumulative = given.cumsum(axis=1)
    uniform = rng.random(len(given)) * cumulative[:, -1]
    return (uniform[:, None] >= cumulative[:, :-1]).sum(axis=1).astype(np.float64)


def _log_density(given: Conditional, column: np.ndarray) -> np.ndarray:
    if isinstance(given, tuple):
        mean, variance = given
        return -0.5 * ((column - mean) ** 2 / variance + np.log(2 * math.pi * variance))
    with np.errstate(divide="ignore"):
        return np.log(given[np.arange(len(column)), column.astype(np.int64)])


def _log_likelihood(likely: np.ndarray, column: np.ndarray, r: int) -> np.ndarray:
    if not r:
        return -0.5 * ((likely[0] - column) ** 2 / likely[1] + math.log(2 * math.pi * likely[1]))
    with np.errstate(divide="ignore"):
        return np.log(likely[column.astype(np.int64)])


def _estimate(column: np.ndarray, weights: np.ndarray, r: int) -> tuple[np.ndarray | Moments, float]:
    """Return weighted shares of r levels, or moments, and the largest standard error of a share or the mean."""
    if not r:
        mean = float(weights @ column)
        off = column - mean
        return Moments(mean, float(weights @ off**2)), math.sqrt(float(weights**2 @ off**2))
    level = column.astype(np.int64)
    shares, squares = np.bincount(level, weights, r), np.bincount(level, weights**2, r)
    shares /= shares.sum()  # a certain level gets exactly 1
    variance = squares * (1 - shares) ** 2 + (squares.sum() - squares) * shares**2
    return shares, math.sqrt(float(variance.max()))


def _binned(column: np.ndarray, r: int) -> np.ndarray:
    """Return levels unchanged, and numbers in equal-frequency bins."""
    if r:
        return column.astype(np.int64)
    return np.searchsorted(np.quantile(column, np.arange(1, BINS) / BINS), column)


def _bits(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> float:
    """Return the mutual information of weighted labels in bits, minus the bias of Miller and Madow."""
    r = int(b.max()) + 1
    table = np.bincount(a * r + b, weights, (int(a.max()) + 1) * r).reshape(-1, r)
    table = table[table.any(axis=1)][:, table.any(axis=0)]
    apart = np.outer(table.sum(axis=1), table.sum(axis=0))
    seen = table > 0
    bits = float(np.sum(table[seen] * np.log2(table[seen] / apart[seen])))
    by_chance = (table.shape[0] - 1) * (table.shape[1] - 1) * float(weights @ weights) / (2 * math.log(2))
    return max(0.0, bits - by_chance)
