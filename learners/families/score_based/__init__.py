"""Hill climbing, tabu search, GES, BOSS, sparse candidate."""
