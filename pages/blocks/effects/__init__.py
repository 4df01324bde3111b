"""Blocks of the Effects page."""
