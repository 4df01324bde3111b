"""What a run of LMM looks like: its elimination step by step, its edge ranking, its prior and its v-structures."""
