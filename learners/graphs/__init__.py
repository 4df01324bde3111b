"""Partially directed graphs and their equivalence classes, separating sets, background knowledge."""
