"""Views of HPC and H2PC."""
