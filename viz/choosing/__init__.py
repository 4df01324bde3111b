"""Comparison of several learners on one table."""
