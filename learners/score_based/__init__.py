"""Hill climbing, tabu search, GES, sparse candidate."""
