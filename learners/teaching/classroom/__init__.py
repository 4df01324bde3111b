"""Live classes: students, questions, answers and retention."""
