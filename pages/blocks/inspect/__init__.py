"""Blocks of the Inspect page."""
