"""Numba kernels: arrays and numbers in, arrays and numbers out."""
