"""A call of RAI on a group of nodes, and the leaves of B-RAI's tree."""
