"""Agglomeration of clusters."""
