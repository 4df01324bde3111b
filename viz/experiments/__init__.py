"""Repeated experiments of the papers: published values, those of Edgewise, and the sentences about them."""
