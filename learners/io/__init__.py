"""Readers and writers of graphs and networks, and the bundled samples.

The readers of BIF, XMLBIF, NET, DSC and XDSL were compared with those of pyAgrum 3.3.1, and stay:

- pyAgrum stores single precision. Reading the 21 bundled BIF files, its probabilities differ by up to 7e-8; ours are
  exact, so that writing and reading returns the same network to the last bit.
- It refuses the bundled network *child*, whose level "Asy/Patch" is not an identifier, and all quoted names.
- It accepts tables with negative probabilities, with rows that do not sum to 1, with missing rows or numbers, and
  variables without a table. Ours report the line and the variable.
- It has no reader of DSC, refuses linear Gaussian nodes in NET, and reads them in XDSL as a network without nodes. Its
  XDSL tables differ from ours where a node has several parents; ours follow the manual of SMILE.
- 100 000 nested XML elements, and a variable with eleven parents of ten levels each, are refused here. pyAgrum did not
return within 60 s, or ran out of 4 GB of memory.
- Speed is comparable: *munin* takes 0.23 s here and 0.34 s there, *pathfinder* 0.28 s and 0.20 s, *alarm* 6 and 2 ms.
"""
