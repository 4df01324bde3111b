"""Tests of exports to R and lavaan, with a strict parser of the subset that they use."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from learners import PDAG, DiscreteNetwork, GaussianNetwork, load_network
from learners.io.declared import R_WORDS
from learners.io.interchange import from_model_string
from learners.io.lavaan import to_lavaan
from learners.io.network_code import to_r

NAME = r"[A-Za-z][A-Za-z0-9._]*"
TOKEN = re.compile(
    rf'(?P<blank>\s+|\#[^\n]*\n)|(?P<string>"(?:[^"\\\x00-\x1f\x7f-\uffff]|\\["\\n]|\\[uU]\{{[0-9a-f]{{1,6}}\}})*")'
    rf"|(?P<number>-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?(?![\w.]))|(?P<name>{NAME})|(?P<sign><-|[(),=])"
)
HOSTILE = ('<script>"x"', "a\\b", "größe\n%", "\U0001f600", "if", "n_if", "# no comment", "עולם")


class Reader:
    """A parser of R assignments, calls, strings and numbers; anything else is an error."""

    def __init__(self, text: str) -> None:
        self.tokens, at = [], 0
        while at < len(text):
            found = TOKEN.match(text, at)
            assert found, f"no R at {text[at : at + 40]!r}"
            at = found.end()
            if found.lastgroup != "blank":
                self.tokens.append((found.lastgroup, found[0]))

    def take(self, wanted: str | None = None) -> tuple[str, str]:
        found = self.tokens.pop(0)
        assert wanted in (None, found[1])
        return found

    def program(self) -> dict[str, Any]:
        """Return the assigned values by name, and the argument of `library(x)` as "library"."""
        actual = {}
        while self.tokens:
            if len(self.tokens) > 1 and self.tokens[1][1] == "<-":
                _, name = self.take()
                self.take("<-")
                actual[name] = self.expression()
            else:
                actual["library"] = self.expression()
        return actual

    def expression(self) -> Any:
        kind, text = self.take()
        if kind == "string":
            plain = re.sub(r"\\[uU]\{([0-9a-f]+)\}", lambda found: chr(int(found[1], 16)), text[1:-1])
            return re.sub(r'\\(["\\n])', lambda found: {"n": "\n"}.get(found[1], found[1]), plain)
        if kind == "number":
            return float(text)
        assert kind == "name"
        assert text not in R_WORDS
        return (text, *self.arguments()) if self.tokens and self.tokens[0][1] == "(" else text

    def arguments(self) -> tuple[list, dict[str, Any]]:
        self.take("(")
        plain, named = [], {}
        while self.tokens[0][1] != ")":
            if self.tokens[1][1] == "=":
                _, key = self.take()
                self.take("=")
                named[key.strip('"')] = self.expression()
            else:
                plain.append(self.expression())
            if self.tokens[0][1] != ")":
                self.take(",")
                assert self.tokens[0][1] != ")", "R takes no comma before a parenthesis"
        self.take(")")
        return plain, named


def called(call: tuple, name: str) -> tuple[list, dict[str, Any]]:
    """Return the arguments of a parsed call of the function `name`."""
    assert call[0] == name
    return call[1], call[2]


def read(text: str) -> tuple[PDAG, tuple[str, ...], dict[str, Any]]:
    """Parse R code; return the DAG of its model string, the names, and the distribution of each node."""
    actual = Reader(text).program()
    assert actual["library"] == ("library", ["bnlearn"], {})
    assert actual["fitted"] == ("custom.fit", ["dag"], {"dist": "parameters"})
    ((model,), _), (_, distributions) = called(actual["dag"], "model2network"), called(actual["parameters"], "list")
    dag, words = from_model_string(model)
    assert tuple(distributions) == words
    assert all(re.fullmatch(NAME, word) for word in words)
    return dag, words, distributions


def hostile() -> DiscreteNetwork:
    dag = PDAG.from_edges(8, directed=[(7, 0), (3, 0), (0, 5), (4, 5)])
    rng, levels = np.random.default_rng(0), tuple((name, 'no "', "\\") for name in HOSTILE)
    cpts = tuple(rng.dirichlet(np.full(3, 0.1), 3 ** len(dag.parents(j))) for j in range(8))
    return DiscreteNetwork(HOSTILE, levels, dag, cpts)


@pytest.mark.parametrize(
    "network", [load_network("asia"), load_network("child"), hostile()], ids=["asia", "child", "odd"]
)
def test_the_r_says_every_level_and_probability(network):
    """An array has the node's own levels on its first axis, which varies fastest."""
    dag, words, distributions = read(to_r(network))
    assert dag == network.dag
    for j, word in enumerate(words):
        plain, named = called(distributions[word], "array")
        (numbers, _), (shape, _), (_, axes) = (
            called(one, key)
            for one, key in zip((plain[0], named["dim"], named["dimnames"]), ("c", "c", "list"), strict=True)
        )
        scope = [j, *dag.parents(j)]
        assert list(axes) == [words[k] for k in scope]
        assert [called(one, "c")[0] for one in axes.values()] == [list(network.levels[k]) for k in scope]
        cells = np.reshape(numbers, [int(r) for r in shape], order="F")
        np.testing.assert_array_equal(np.moveaxis(cells, 0, -1).reshape(network.cpts[j].shape), network.cpts[j])


def numbers_network() -> GaussianNetwork:
    weights = np.zeros((8, 8))
    weights[[7, 3, 0, 4], [0, 0, 5, 5]] = [1e-9, -2.5, 1 / 3, 1e20]
    return GaussianNetwork(HOSTILE, weights, np.linspace(0.5, 2, 8), np.linspace(-1, 1, 8))


@pytest.mark.parametrize("network", [load_network("ecoli70"), numbers_network()], ids=["ecoli70", "odd"])
def test_the_r_says_every_equation(network):
    """Coefficients are named after the parents, and the standard deviation of the noise is included."""
    dag, words, distributions = read(to_r(network))
    assert dag == network.dag
    for j, word in enumerate(words):
        _, named = called(distributions[word], "list")
        _, found = called(named["coef"], "c")
        assert found.pop("(Intercept)") == network.intercept[j]
        assert found == {words[i]: network.weights[i, j] for i in dag.parents(j)}
        assert named["sd"] == np.sqrt(network.noise_variance[j])


@pytest.mark.parametrize("network", [load_network("ecoli70"), numbers_network()], ids=["ecoli70", "odd"])
def test_the_lavaan_says_the_dag(network):
    """Each node with parents has a regression, each root a variance, and no two roots have a covariance."""
    lines = [line for line in to_lavaan(network.dag, network.names).splitlines() if not line.startswith("#")]
    words = _words(to_r(network))
    found = {"~": {}, "~~": set(), "0": set()}
    for line in lines:
        one = re.fullmatch(rf"({NAME}) (~~|~) ({NAME}(?: \+ {NAME})*|0\*{NAME})", line)
        assert one, line
        left, sign, right = one.groups()
        if sign == "~":
            found["~"][left] = right.split(" + ")
        elif right.startswith("0*"):
            found["0"].add(frozenset((left, right[2:])))
        else:
            assert left == right
            found["~~"].add(left)
    assert found["~"] == {words[j]: [words[i] for i in network.dag.parents(j)] for j in range(network.p)
                          if network.dag.parents(j)}  # fmt: skip
    roots = {words[j] for j in range(network.p) if not network.dag.parents(j)}
    assert found["~~"] == roots
    assert found["0"] == {frozenset(pair) for pair in combinations(roots, 2)}


def _words(text: str) -> tuple[str, ...]:
    return read(text)[1]
