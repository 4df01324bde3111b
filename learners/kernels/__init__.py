"""Numba kernels: functions of arrays and numbers that return arrays and numbers."""
