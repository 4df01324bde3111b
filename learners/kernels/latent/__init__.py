"""Kernels of learners for tables with hidden common causes."""
