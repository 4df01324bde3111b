"""A search within what tests allow: what the tests said, and what the search made of it."""
