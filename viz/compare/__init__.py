"""Comparison of several graphs: overlays on one layout, tables and curves."""
