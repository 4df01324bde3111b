"""Runs in worker processes, and the compilation of kernels there in advance."""
