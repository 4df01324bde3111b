"""Several graphs on one layout, in tables, and in curves."""
