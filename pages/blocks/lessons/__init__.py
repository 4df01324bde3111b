"""What a lesson shows, block by block."""
