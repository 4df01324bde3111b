"""Blocks of a class: its button and the lecturer's view."""
