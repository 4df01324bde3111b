"""Graphs, networks and bundled samples, read and written."""
