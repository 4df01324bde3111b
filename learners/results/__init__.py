"""LearnResult, its trace, and the graph at each step."""
