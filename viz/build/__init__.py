"""Networks that are drawn by hand, as pictures and tables; and how they are found again in their rows."""
