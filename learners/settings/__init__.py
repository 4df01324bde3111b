"""Declaration of learners: parameters, tests and scores, and cost."""
