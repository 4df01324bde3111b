"""Write a network as Python or R code that builds it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from ..common.checks import check_type
from ..networks.network import DiscreteNetwork, GaussianNetwork, Network
from ..networks.regression_network import RegressionNetwork
from .declared import R_WORDS, identifiers


def to_python(network: Network | RegressionNetwork) -> str:
    """Write Python code for Edgewise's library; running it gives the same `network` to the last bit."""
    if isinstance(network, RegressionNetwork):
        return _regressions(network)
    _check(network)
    discrete = isinstance(network, DiscreteNetwork)
    kind = "DiscreteNetwork" if discrete else "GaussianNetwork"
    edges = f"PDAG.from_edges({network.p}, directed={network.dag.directed_edges()!r})"
    lines = ["import numpy as np", "", f"from learners import {kind}{', PDAG' * discrete}", ""]
    lines += ["names = (", *(f"    {_text(name)}," for name in network.names), ")"]
    if discrete:
        lines += ["levels = (", *(f"    ({_listed(map(_text, own))},)," for own in network.levels), ")"]
        lines += ["cpts = (", *(f"    np.array({cpt.tolist()!r})," for cpt in network.cpts), ")"]
        return "\n".join([*lines, f"network = DiscreteNetwork(names, levels, {edges}, cpts)", ""])
    lines += [f"weights = np.zeros(({network.p}, {network.p}))"]
    lines += [f"weights[{i}, {j}] = {float(network.weights[i, j])!r}" for i, j in network.dag.directed_edges()]
    lines += [f"noise_variance = np.array({network.noise_variance.tolist()!r})"]
    lines += [f"intercept = np.array({network.intercept.tolist()!r})"]
    return "\n".join([*lines, "network = GaussianNetwork(names, weights, noise_variance, intercept)", ""])


def _regressions(network: RegressionNetwork) -> str:
    kinds = sorted({type(node).__name__ for node in network.nodes})
    lines = ["import numpy as np", "", "from learners import PDAG, RegressionNetwork"]
    lines += [f"from learners.networks.regression_network import {', '.join(kinds)}", ""]
    lines += ["names = (", *(f"    {_text(name)}," for name in network.names), ")"]
    lines += ["states = (", *(f"    ({''.join(f'{_text(one)}, ' for one in own)})," for own in network.states), ")"]
    lines += ["nodes = ("]
    for node in network.nodes:
        arrays = (f"{field.name}=np.array({getattr(node, field.name).tolist()!r})" for field in fields(node))
        lines.append(f"    {type(node).__name__}({', '.join(arrays)}),")
    edges = f"PDAG.from_edges({network.p}, directed={network.dag.directed_edges()!r})"
    return "\n".join([*lines, ")", f"network = RegressionNetwork(names, states, {edges}, nodes)", ""])


def to_r(network: Network) -> str:
    """Write R code for bnlearn; running it gives the network as ``fitted``.

    Names that are not valid in R are replaced; comments list the originals.
    """
    _check(network)
    words = identifiers(network.names, R_WORDS)
    comments = [
        f"# {word}: {json.dumps(name)}" for word, name in zip(words, network.names, strict=True) if word != name
    ]
    parents = [network.dag.parents(j) for j in range(network.p)]
    heads = (f"|{':'.join(words[i] for i in above)}" if above else "" for above in parents)
    model = "".join(f"[{word}{head}]" for word, head in zip(words, heads, strict=True))
    make = _r_table if isinstance(network, DiscreteNetwork) else _r_equation
    parts = [f"  {word} = {make(network, j, words)}" for j, word in enumerate(words)]
    lines = ["library(bnlearn)", *comments, f'dag <- model2network("{model}")', "parameters <- list("]
    return "\n".join([*lines, ",\n".join(parts), ")", "fitted <- custom.fit(dag, dist = parameters)", ""])


def _check(network: Network) -> None:
    check_type("network", network, DiscreteNetwork | GaussianNetwork, "a DiscreteNetwork or a GaussianNetwork")


def _r_table(network: DiscreteNetwork, j: int, words: Sequence[str]) -> str:
    """Write a table as an R array: the first axis is the node itself, and varies fastest."""
    above = network.dag.parents(j)
    sizes = [len(network.levels[k]) for k in (j, *above)]
    cells = np.moveaxis(network.cpts[j].reshape(*sizes[1:], sizes[0]), -1, 0).ravel(order="F")
    axes = (f"{words[k]} = c({_listed(map(_r_text, network.levels[k]))})" for k in (j, *above))
    numbers = _listed(map(repr, cells.tolist()))
    return f"array(c({numbers}), dim = c({_listed(map(str, sizes))}), dimnames = list({_listed(axes)}))"


def _r_equation(network: GaussianNetwork, j: int, words: Sequence[str]) -> str:
    terms = [f'"(Intercept)" = {float(network.intercept[j])!r}']
    terms += [f"{words[i]} = {float(network.weights[i, j])!r}" for i in network.dag.parents(j)]
    return f"list(coef = c({_listed(terms)}), sd = {float(np.sqrt(network.noise_variance[j]))!r})"


def _text(text: str) -> str:
    return ascii(text)


def _r_text(text: str) -> str:
    """Write an R string in ASCII; symbols replace character 0 and surrogates, which R does not have."""
    return '"' + "".join(_R_SIGNS.get(c) or (c if " " <= c <= "~" else f"\\U{{{_r_code(c):x}}}") for c in text) + '"'


_R_SIGNS = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}


def _r_code(character: str) -> int:
    code = ord(character)
    return 0x2400 if code == 0 else 0xFFFD if 0xD800 <= code < 0xE000 else code


def _listed(parts) -> str:
    return ", ".join(parts)
