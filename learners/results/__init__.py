"""The result of a run: `LearnResult`, its trace, and the graph at each step."""
