"""``python docs/pictures.py``: take the pictures of the README again, from the running app in Chromium."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).with_name("images")
VIEWPORT = {"width": 1280, "height": 800}
SHOTS = {  # file: address of what it shows
    "slider.png": "inspect?learner=ges&data=alarm&step=24",
    "explanation.png": "inspect?learner=ges&data=alarm&pair=HYPOVOLEMIA&pair=LVEDVOLUME",
}


def main() -> None:
    """Write the pictures."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.browser import GRAPH, PATIENCE_MS, open_browser, serve

    with open_browser() as browser, serve(ROOT / "app.py") as address:
        for name, query in SHOTS.items():
            page = browser.new_page(viewport=VIEWPORT)
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"{address}/{query}")
            page.locator(GRAPH).first.wait_for()
            page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
            page.wait_for_timeout(2_000)  # until the last movement has ended
            page.screenshot(path=FOLDER / name)
            page.close()


if __name__ == "__main__":
    main()
