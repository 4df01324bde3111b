"""Discrete networks in pgmpy, to compare its answers to the same queries."""

from __future__ import annotations

import warnings

from learners import DiscreteNetwork

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork


def in_pgmpy(network: DiscreteNetwork) -> DiscreteBayesianNetwork:
    """Return the same network, with variables and states by number."""
    model = DiscreteBayesianNetwork()
    model.add_nodes_from(range(network.p))
    model.add_edges_from(network.dag.directed_edges())
    for j, cpt in enumerate(network.cpts):
        parents = list(network.dag.parents(j))
        sizes = network.arity[parents].tolist()
        model.add_cpds(TabularCPD(j, int(network.arity[j]), cpt.T, parents or None, sizes or None))
    return model
