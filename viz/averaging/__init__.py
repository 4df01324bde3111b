"""Probabilities of edges, arrows, Markov blankets, paths and v-structures."""
