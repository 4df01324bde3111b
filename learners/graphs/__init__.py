"""PDAGs and their equivalence classes, sepsets, background knowledge."""
