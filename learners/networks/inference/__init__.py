"""What a network answers: probabilities given evidence, exactly where that can be had, and what to ask next."""
