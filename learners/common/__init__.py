"""Errors, checks, progress, threads and jobs, shared by all other packages."""
