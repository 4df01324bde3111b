"""Bayesian networks with their parameters, rows sampled from them, and larger networks made of them."""
