"""Blocks of the Projects page."""
