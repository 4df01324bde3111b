"""Blocks of the Data page."""
