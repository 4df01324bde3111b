"""Pieces of the Effects page."""
