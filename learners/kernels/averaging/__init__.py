"""Bayesian model averaging: Markov chains of orders and partitions, sums over orders, the best equivalence classes."""
