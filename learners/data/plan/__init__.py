"""Plans: what happens to each column before learning, and data sets prepared by them."""
