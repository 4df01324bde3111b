"""pPC, PATH, pHGS (Huang and Zhou 2022), GSC and ARGES."""
