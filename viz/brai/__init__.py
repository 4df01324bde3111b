"""What only RAI, B-RAI and the bootstrap show: probabilities, the tree of graphs, draws from it, and the recursion."""
