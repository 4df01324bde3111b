"""What HPC found around each variable, in words."""
