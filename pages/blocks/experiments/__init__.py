"""Blocks of the Experiments page."""
