"""HPC's batches: lists of partners that are pruned, and what is remembered of their tests."""
