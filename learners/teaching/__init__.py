"""Quiz, lessons and live classes."""
