"""Bayesian networks with parameters: fitting, sampling, inference, random and tiled networks."""
