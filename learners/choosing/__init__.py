"""Which learner for a table: what was measured on tables like it, and what a few learners make of itself."""
