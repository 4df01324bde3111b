"""Choice of a learner for a table: benchmark results on similar tables, and trials of a few learners on the table."""
