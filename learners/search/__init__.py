"""Searches for graphs: skeletons by tests, DAGs, classes and orders by score, and the hybrids of both."""
