"""Lessons: Markdown with graphs, runs and exercises, whose answers are computed."""
