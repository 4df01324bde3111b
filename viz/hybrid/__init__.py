"""Views of searches within a skeleton."""
