"""Recipes: a run as a small file that anybody can follow, and whether what comes out is the same."""
