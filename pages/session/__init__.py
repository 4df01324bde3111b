"""What a session keeps, its jobs, and the sidebar."""
