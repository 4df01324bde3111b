"""Kernels that complete tables with missing cells."""
