"""Blocks of the Learn page."""
