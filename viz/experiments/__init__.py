"""Experiments of the papers, repeated: published values, our values, and the sentences about them."""
