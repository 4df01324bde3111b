"""Pieces of the page that builds a network."""
