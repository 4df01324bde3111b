"""Steps of greedy searches over DAGs and equivalence classes, sums over orders."""
