"""A run as a document that stands alone: HTML to read and to print, and Markdown."""
