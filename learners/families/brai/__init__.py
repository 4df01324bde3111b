"""RAI and B-RAI (Yehezkel and Lerner 2009; Rohekar et al. 2018)."""
