"""Probabilities and shares of resamples: of edges, arrows, Markov blankets, paths and v-structures."""
