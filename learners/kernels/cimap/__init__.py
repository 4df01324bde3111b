"""Mutual information of pairs, tests edge after edge, triplets."""
