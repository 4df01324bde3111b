"""Blocks of the Compare page."""
