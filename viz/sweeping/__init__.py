"""A sweep as something to drag through."""
