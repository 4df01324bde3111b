"""Comparison of a result with the truth, or with another result."""
