"""The installed command `edgewise`: the command line of the library, and `edgewise app`, which opens the app."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from learners.__main__ import EXIT_BAD_INPUT
from learners.__main__ import main as library
from learners.command_line.terminal import collect_garbage_rarely
from learners.common.optional_packages import MissingPackage, require

APP = Path(__file__).parents[1] / "app.py"
EPILOG = "edgewise app opens the app in a browser; its options are those of `streamlit run`."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command: `app` passes its options to Streamlit, everything else is ``python -m learners``."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["app"]:
        try:
            return _app(words[1:])
        except MissingPackage as error:
            sys.stderr.write(f"edgewise: {error}\n")
            return EXIT_BAD_INPUT
    if argv is None:
        collect_garbage_rarely()
    return library(words, prog="edgewise", epilog=EPILOG)


def _app(options: Sequence[str]) -> int:
    # Imported here, because the commands of the library work without the app.
    streamlit = require("streamlit.web.cli", "The app", "app").main
    compiling = [sys.executable, "-m", "learners", "warm-up", "--behind"]  # the child ends with this process
    subprocess.Popen(compiling, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return streamlit(["run", str(APP), *options], prog_name="edgewise app", standalone_mode=False) or 0


if __name__ == "__main__":
    sys.exit(main())
