"""Errors, checks, progress, threads and jobs: what every other folder may use."""
