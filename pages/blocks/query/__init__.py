"""Pieces of the Query page."""
