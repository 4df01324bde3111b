"""Networks drawn by hand, and learning curves on data simulated from them."""
