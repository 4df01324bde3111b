"""Recipes: a run as a small file that anyone can repeat and compare."""
