"""Questions about a run, whose answers are read off its trace and its result."""
