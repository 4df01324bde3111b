"""Views of LMM: the elimination step by step, the edge ranking, the prior and the v-structures."""
