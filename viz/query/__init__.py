"""A network that is asked: its variables with bars and curves, and what follows from evidence in words and tables."""
