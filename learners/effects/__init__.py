"""Inference from a graph: open paths, adjustment sets, instruments, effects, and implied independences."""
