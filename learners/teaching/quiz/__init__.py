"""Quiz questions about a run; answers come from its trace and its result."""
