"""Views of searches by score."""
