"""Node positions and orders of variables, without Graphviz."""
