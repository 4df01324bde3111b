"""The documentation builds without warnings, has a page for each learner, and is served below the app."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from learners.catalogue import LEARNERS
from pages import documentation
from tests.test_architecture import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site into an empty folder and return it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_each_learner_has_a_page_with_its_settings_and_figure(site):
    for key, learner in LEARNERS.items():
        text = (site / "learners" / f"{key}.html").read_text(encoding="utf-8")
        assert learner.label in text
        assert f'src="{key}.svg"' in text
        assert all(f"<code>{parameter.name}</code>" in text for parameter in learner.parameters)
    assert (site / "learners" / "pc.svg").exists()


def test_the_site_asks_no_other_server(site):
    """Links may lead to other sites; scripts, fonts and pictures are local."""
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not [part for part in ('src="http', 'rel="stylesheet" href="http', "fonts.g") if part in text], path


@pytest.mark.parametrize("prefix", ["", "/below"])
def test_the_app_serves_the_site_also_below_a_path_prefix(site, monkeypatch, prefix):
    monkeypatch.setattr(documentation, "SITE", site)
    client = TestClient(Starlette(routes=documentation.routes()))
    assert "Edgewise" in client.get(f"{prefix}/{documentation.FIRST_PAGE}").text
    assert client.get(f"{prefix}/docs/learners/pc.svg").headers["content-type"] == "image/svg+xml"
    assert client.get(f"{prefix}/docs/../app.py").status_code == 404
    monkeypatch.setattr(documentation, "SITE", site / "missing")
    assert documentation.routes() == []
