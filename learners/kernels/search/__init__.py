"""Steps of greedy searches over DAGs, equivalence classes and orders."""
