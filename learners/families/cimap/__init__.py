"""CImap (Bacciu et al. 2013), PC-MI and ARACNE: learners by mutual information."""
