"""What a graph says beyond its edges: open paths, adjustment sets, instruments, effects, implications for the data."""
