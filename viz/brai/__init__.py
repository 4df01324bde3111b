"""RAI's recursion, B-RAI's tree of graphs, and draws from it."""
