"""Moves of score-based searches."""
