"""What a lecturer leads a class with."""
