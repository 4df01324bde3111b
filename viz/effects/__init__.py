"""Causal questions to a graph: open paths, adjustment sets, effects and implied independences."""
