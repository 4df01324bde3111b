"""Exports name no private value of a table: no free text, ID, rare level or extreme, at most 20 levels of a column."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from learners.data.disclosure import MAX_LEVELS
from learners.data.plan.plan import with_missing
from learners.io.network_files import NETWORK_FORMATS
from pages.blocks.rare_values import LABEL
from pages.session.state import with_plan
from tests.pages.driving import go, learn_now, open_app, sound, table, upload

N = 240
TOWNS = [f"Town-{'abcdefghijklmnopqrstuvwxyz'[k % 26]}{k}x" for k in range(30)]
EXTREME = 98765.4  # the age of one row
RARE = ["Penicillin since 1987", "Sees Dr 'Rotkehl' on Mondays", "Lives with aunt Zoe"]
SECRETS = re.compile(
    "|".join(["PatientNo", "reported us that", *map(re.escape, RARE), "Rotkehl", "Zoe", "quarantined", "98,?765"])
)


def private_table(*, numbers=False):
    """Return a table with IDs, free text, rare levels, a rare missing-value code, and a column of 30 levels."""
    rows = []
    for k in range(N):
        allergy = RARE[k % 7] if k % 80 in (5, 7) and k % 7 < 3 else ("nuts" if k % 3 else "pollen")
        ward = "quarantined" if k in (8, 100) else "ABC"[(k // 3) % 3]
        of_row = [f"PatientNo{100000 + 37 * k}", f"{k} reported us that {k * 7}", allergy, ward, TOWNS[k % 30], k % 3]
        rows.append(of_row + [EXTREME if k == 17 else k * 31 % 97] * numbers)
    return table(rows, ("id", "note", "allergy", "ward", "town", "grade", *(["age"] * numbers)))


def texts_of(file: str | bytes) -> str:
    """Return everything that is readable in a file, also in archives within it, without escapes."""
    raw = file if isinstance(file, bytes) else file.encode()
    if zipfile.is_zipfile(io.BytesIO(raw)):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return "\n".join(texts_of(archive.read(name)) for name in archive.namelist())
    text = raw.decode("utf-8", "replace").replace("\\", "").replace("\u2060", "").replace("&#x27;", "'")
    return text + text.replace("_", " ")  # formats without blanks in names


def visited(*, numbers=False):
    """Learn from the private table, and open each page with all of its exports."""
    at = learn_now(upload(open_app("data"), private_table(numbers=numbers), "private.csv"))
    at = sound(go(at, "data"))
    run = at.session_state["runs"][-1]
    assert {"allergy", "ward", "town"} <= set(run.result.names)
    assert {"id", "note"}.isdisjoint(run.result.names)
    at = sound(go(at, "inspect"))
    for form in ["python"] if numbers else [*NETWORK_FORMATS, "python", "r"]:
        sound(at.selectbox(key="download_network_form").set_value(form).run())
    at.session_state["pair"] = ("allergy", "ward")
    at.run()
    reported = next(one for one in at.toggle if one.key and one.key.startswith("why_included_"))
    at = sound(reported.set_value(True).run())
    for page in ("compare", "query", "effects", "build", "projects", "inspect"):
        at = sound(go(at, page))
    return at


@pytest.mark.parametrize("numbers", [False, True])
def test_no_export_names_a_private_value(files, numbers):
    visited(numbers=numbers)
    made = {key: texts_of(data() if callable(data) else data) for key, data in files.items()}
    assert len(made) > 20, sorted(made)
    found = {key: SECRETS.findall(text)[:3] for key, text in made.items() if SECRETS.search(text)}
    assert not found
    many = {key: n for key, text in made.items() if (n := sum(town in text for town in TOWNS)) > MAX_LEVELS}
    assert not many
    report = made["download_report_md", "Report (Markdown)"]
    assert "with fewer than 5 rows" in report
    assert "pollen" in report
    assert "level" in made["download_network", "Python" if numbers else NETWORK_FORMATS["bif"].label]


@pytest.mark.deep
def test_rare_values_of_used_columns_are_named_once_asked_for(files):
    at = visited()
    number = at.session_state["runs"][-1].number
    sound(at.toggle(key=f"inspect_rare_{number}").set_value(True).run())
    sound(at.selectbox(key="download_network_form").set_value("bif").run())
    made = {key: texts_of(data() if callable(data) else data) for key, data in files.items()}
    assert RARE[0] in made["download_network", NETWORK_FORMATS["bif"].label]
    report = made["download_report_md", "Report (Markdown)"]
    assert "quarantined" in report
    assert "PatientNo" not in report
    assert "reported us that" not in report


@pytest.mark.deep
def test_a_recipe_that_names_a_rare_code_is_only_exported_on_request(files):
    """Recipe, notebook and code, which would name a rare missing-value code, are exported only on request."""
    at = upload(open_app("data"), private_table(), "private.csv")
    here = at.session_state["source"]
    plan = with_missing(here.table, here.plan, {"ward": ("quarantined",)})
    at.session_state["source"] = with_plan(here, plan)
    at = learn_now(at)
    sound(go(at, "data"))
    files.clear()
    at = sound(go(at, "inspect"))
    keys = {key for key, _ in files}
    assert "download_report_md" in keys
    assert keys.isdisjoint({"download_recipe_json", "download_ipynb", "download_py"})
    assert "quarantined" not in texts_of(files["download_report_md", "Report (Markdown)"]())
    assert any(LABEL in one.value for one in at.caption)
    sound(at.toggle(key=f"inspect_rare_{at.session_state['runs'][-1].number}").set_value(True).run())
    assert "quarantined" in texts_of(files["download_recipe_json", "Recipe (JSON)"]())
