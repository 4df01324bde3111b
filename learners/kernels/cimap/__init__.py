"""Mutual information of pairs, sequential tests of edges, data processing inequality."""
