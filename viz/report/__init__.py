"""A run as a standalone document: HTML for screen and print, and Markdown."""
