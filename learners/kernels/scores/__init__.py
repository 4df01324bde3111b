"""Local scores of families, for each kind of data."""
