"""Kernels that read the cells of text tables."""
