"""What the search of HPC around each variable found, in words."""
