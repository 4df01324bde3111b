"""Column types: text cells as numbers, dates or levels, and guesses of the type."""
