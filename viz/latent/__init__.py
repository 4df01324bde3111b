"""Views of runs whose graphs are PAGs."""
