"""What learners made of one table, side by side."""
