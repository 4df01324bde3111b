"""State of a session: its table, runs, jobs and storage."""
