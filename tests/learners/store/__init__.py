"""The store: what is kept, and who sees it."""
