"""``python -P opening.py app.py PAGE ...``: open pages of an installed app; print its folder and each page."""

from __future__ import annotations

import sys
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

app, pages = Path(sys.argv[1]), sys.argv[2:]
sys.path.insert(0, str(app.parent))  # `streamlit run` does the same
sys.modules["benchmarks"] = None  # only a clone has benchmarks
PagesManager.uses_pages_directory = False
begin = PagesManager.__init__


def begin_as_served(self: PagesManager, *args: object, **options: object) -> None:
    """Start as on a server that runs app.py, which lists the pages itself."""
    begin(self, *args, **options)
    PagesManager.uses_pages_directory = False


PagesManager.__init__ = begin_as_served
at = AppTest.from_file(str(app), default_timeout=120).run()
import viz  # noqa: E402

sys.stdout.write(f"{Path(viz.__file__).parents[1]}\n")
for page in pages:
    at.switch_page(f"pages/{page}.py").run()
    assert at.main.children, f"{page}: nothing is shown"
    assert not at.exception, f"{page}: {[one.message for one in at.exception]}"
    sys.stdout.write(f"{page}\n")
