"""A call of RAI, and the leaves of B-RAI's tree."""
