"""HPC and H2PC (Gasse, Aussem and Elghazel 2012)."""
