"""A lesson as one HTML file: its contents, its scripts and its style."""
