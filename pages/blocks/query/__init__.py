"""Blocks of the Query page."""
