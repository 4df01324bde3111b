"""Run ``python -m tests.browser.apps.edgewise_app run app.py ...``: the installed command `edgewise app ...`."""

from __future__ import annotations

import sys

from pages.command import main

if __name__ == "__main__":
    sys.exit(main(["app", *sys.argv[3:]]))
