"""What a partitioned run looks like: its clusters, the tree they were cut from, and the calls that they save."""
