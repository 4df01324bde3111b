"""Blocks of the Build page."""
