"""How a learner is declared: its parameters, its tests and scores, its cost."""
