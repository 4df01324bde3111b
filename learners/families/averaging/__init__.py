"""The bootstrap, and posterior probabilities over DAGs."""
