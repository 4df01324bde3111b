"""Data-quality findings of a table under a plan; each check is a function that registers itself in `registry`."""
