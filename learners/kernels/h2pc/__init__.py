"""What HPC remembers of its tests."""
