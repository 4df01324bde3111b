"""Questions to a graph, as pictures and sentences: open paths, adjustment sets, effects, implications."""
