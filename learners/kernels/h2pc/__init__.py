"""Batches of HPC: pruning of candidate lists, and a cache of test results."""
