"""Positions of the nodes."""
