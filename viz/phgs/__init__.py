"""Views of partitioned runs and solution paths: clusters, levels of alpha, and statistical calls."""
