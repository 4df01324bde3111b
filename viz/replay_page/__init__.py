"""The replay of a run as one HTML file: its contents, its scripts and its style."""
