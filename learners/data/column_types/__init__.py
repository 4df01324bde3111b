"""Types of columns: text cells as numbers, dates or levels, and guesses of what a column holds."""
