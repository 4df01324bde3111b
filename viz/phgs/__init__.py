"""Clusters, the alpha path, and ARGES' admissions."""
