"""Inference in networks: exact or approximate probabilities given evidence, and the value of further evidence."""
