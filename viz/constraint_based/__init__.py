"""Views of runs that decide by tests."""
