"""Blocks of the Lessons page."""
