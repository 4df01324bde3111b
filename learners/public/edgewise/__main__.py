"""``python -m edgewise``: the command line of the library."""

import sys

from learners.__main__ import main

if __name__ == "__main__":
    sys.exit(main(prog="python -m edgewise"))
