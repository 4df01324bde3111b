"""Partially directed graphs: adjacency lists, paths, Meek's rules, v-structures, operators on equivalence classes,
rows of a drawing.

`amat` (p, p) bool everywhere: i -> j iff ``amat[i, j]`` and not ``amat[j, i]``, i - j iff both.
"""
