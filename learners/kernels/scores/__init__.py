"""Local scores of families."""
