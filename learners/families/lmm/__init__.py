"""LMM (Mahdi and Mezey 2013): edges ranked by joint CPPD."""
