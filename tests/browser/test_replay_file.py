"""The replay as one file: opened from disk without a network, and compared with the run step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.io.samples import load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.recipes.replay_file import Replay, replay
from learners.registry import learn
from learners.sweeping.causes import causes
from learners.sweeping.reasons import difference
from learners.sweeping.sweep import sweep
from tests.viz.cases import HOSTILE
from tests.viz.replay_page.opening import ReplayFile
from tests.viz.test_kinds import CASES, DATA, learnt
from viz.translation.sentences import catalog

from .conftest import ROOT, SCREENSHOTS, TABLE_FILE, at_rest, choose_learner, open_fold, turn_to
from .replay_steps import STEPS, assert_steps_of
from .test_accessibility import AXE, RUN

pytestmark = pytest.mark.browser
OF_KIND = {"categorical": "asia", "continuous": "wine", "mixed": "penguins"}  # samples by kind of data
PATIENCE_MS = 240_000.0


class File:
    """A replay file that is open in a browser without a network."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page, self.requests, self.errors = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(path.as_uri())
        page.locator("#replay[data-ready]").wait_for()
        self.root = page.locator(".graph-view[data-ready]")

    def choose(self, a: int, b: int) -> None:
        """Choose a pair in the two boxes."""
        for box, k in zip(self.page.locator(".why .pick select").all(), (a, b), strict=True):
            box.select_option(str(k))

    def explained(self) -> tuple[str, ...]:
        """Return the claim and the sentences on screen."""
        return tuple(self.page.locator(".why .claim, .why .reasons p").all_inner_texts())

    def picture(self, name: str) -> None:
        """Show the graph, the matrix or the table."""
        self.page.get_by_role("button", name=f"Show the {name}").click()

    def close(self, path: Path) -> None:
        """Check that nothing was requested but the file and images that it made, and that no error was logged."""
        assert [url for url in self.requests if not url.startswith("blob:")] == [path.as_uri()]
        assert self.errors == []


@pytest.fixture
def open_file(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., File]]:
    """Return a function that opens a replay file offline; on teardown, check that no file sent a request."""
    opened = []

    def open_(replayed: Replay, before: str = "", **options: object) -> File:
        path = tmp_path / f"replay {len(opened)}.html"
        path.write_text(replayed.to_html(), encoding="utf-8")
        context = browser.new_context(offline=True, **options)
        context.add_init_script(before)
        file = File(context.new_page(), path)
        opened.append((file, path, context))
        return file

    yield open_
    for file, path, context in opened:
        file.close(path)
        context.close()


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_step_and_some_explanations_are_those_of_the_run(open_file, key, kind):
    result, dataset = learnt(key, kind), DATA[kind]
    file = open_file(replay(result, dataset))
    p = len(result.names)
    if (run := file.page.get_by_role("button", name="Slider: Steps of the run")).count():
        run.click()
    assert_steps_of(result, file.root.evaluate(STEPS))
    pairs = [(0, 1), (1, 2), (p - 2, p - 1), *list(result.graph.edges())[:2]]
    for language in ("en", "de"):
        file.page.get_by_label("Language of the explanation").select_option(language)
        for a, b in pairs:
            expected = explanation(result, (min(a, b), max(a, b)), dataset).written(catalog(language))
            file.choose(min(a, b), max(a, b))
            expect(file.page.locator(".why .claim")).to_have_text(expected[0])
            assert file.explained() == expected


@pytest.mark.deep
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_the_exported_file_shows_what_the_app_shows(open_run, browser, tmp_path, key, kind):
    """Every step has the edges, the number and the sentence of the picture on Inspect."""
    page = open_run(key, OF_KIND[kind])
    shown = page.locator(".graph-view[data-ready]").evaluate(STEPS)
    open_fold(page, re.compile("Export$"))
    with page.expect_download(timeout=PATIENCE_MS) as saved:
        page.get_by_role("button", name="Interactive replay (HTML)").click()
    path = tmp_path / "exported.html"
    saved.value.save_as(path)
    with browser.new_context(offline=True) as context:
        file = File(context.new_page(), path)
        assert file.root.evaluate(STEPS) == shown
        file.close(path)


def wide_table() -> bytes:
    """Return a CSV file of 100 numbers: its 4,950 pairs are explained with progress and Cancel."""
    data = sample(random_gaussian_network(100, 2.0, seed=3), 300, seed=3)
    return pd.DataFrame(data.values, columns=data.names).round(4).to_csv(index=False).encode()


@pytest.mark.deep
def test_the_replay_of_a_wide_table_is_prepared_and_cancelled(app_server, page):
    """Cancel leads back to the button; a file with data is made while another page is shown."""
    page.goto(f"{app_server(ROOT / 'app.py')}/data")
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    at_rest(page)
    page.locator(TABLE_FILE).set_input_files({"name": "wide.csv", "mimeType": "text/csv", "buffer": wide_table()})
    expect(page.get_by_role("heading", name="In use: wide.csv")).to_be_visible(timeout=PATIENCE_MS)
    turn_to(page, "Learn")
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=PATIENCE_MS)
    open_fold(page, re.compile("Export$"))
    prepare = page.get_by_role("button", name="Prepare interactive replay (HTML)", exact=True)
    cancel = page.locator(".st-key-inspect_cancel_replay button")
    download = page.get_by_role("button", name="Interactive replay (HTML)", exact=True)
    prepare.click()
    cancel.press("Enter")  # by keyboard: the progress is redrawn each second
    expect(prepare).to_be_enabled(timeout=PATIENCE_MS)
    expect(cancel).to_have_count(0)
    expect(download).to_have_count(0)
    page.locator("[class*=st-key-inspect_replay_data_] label").click()
    prepare.click()
    turn_to(page, "Learn")
    expect(page.get_by_role("heading", name="Learn a graph")).to_be_visible()
    turn_to(page, "Inspect")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()
    open_fold(page, re.compile("Export$"))
    with page.expect_download(timeout=PATIENCE_MS) as saved:
        download.click(timeout=PATIENCE_MS)
    packs = ReplayFile(Path(saved.value.path()).read_text(encoding="utf-8")).packs
    assert packs["data"]["csv"].count("\n") == 301
    assert len(packs["page"]["views"][0]["graph"]["nodes"]) == 100


COUNT_PACKS = """window.unpacked = 0;
    window.DecompressionStream = class extends DecompressionStream {
        constructor(...given) { super(...given); window.unpacked++; }
    };"""


@pytest.mark.deep
def test_opening_unpacks_only_the_first_pack(open_file):
    """Explanations and tests are unpacked with the first pair, and each language once."""
    file = open_file(asia_replay(), before=COUNT_PACKS)
    assert file.page.evaluate("window.unpacked") == 1
    for pair, language, unpacked in (((0, 1), "en", 3), ((0, 2), "en", 3), ((0, 2), "de", 4), ((1, 2), "en", 4)):
        file.page.get_by_label("Language of the explanation").select_option(language)
        file.choose(*pair)
        file.page.wait_for_function(f"window.unpacked === {unpacked}")


@pytest.mark.deep
def test_an_edge_is_explained_by_a_click_and_by_keys(open_file):
    sample_ = load_sample("asia")
    result = learn("pc", sample_.dataset)
    file = open_file(replay(result, sample_.dataset))
    a, b = next((min(e), max(e)) for e in result.graph.edges())
    file.root.locator(f'.edge[data-a="{a}"][data-b="{b}"]').focus()
    file.page.keyboard.press("Enter")
    expect(file.page.locator(".why .claim")).to_have_text(explanation(result, (a, b), sample_.dataset).headline)
    file.page.keyboard.press("Home")
    assert file.root.get_attribute("data-step") == "0"
    file.picture("matrix")
    file.page.locator(".matrix canvas").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        file.page.keyboard.press(key)
    chosen = file.page.evaluate("[...document.querySelectorAll('.why .pick select')].map(box => +box.value)")
    order = file.page.evaluate("document.getElementById('replay').page.ordered")
    assert chosen == [order[1], order[2]]
    file.picture("table")
    expect(file.page.locator(".table-note")).to_have_text("28 of 28 rows")  # all pairs are adjacent at the first step
    file.page.get_by_label("Search in the table").fill("asia tub")
    file.page.get_by_role("button", name="Explain asia and tub").click()
    expect(file.page.locator(".why .claim")).to_have_text("There is no edge between asia and tub.")


@pytest.mark.deep
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_it_fits_phones_and_both_themes(open_file, width, scheme):
    """No element is wider than the page, axe finds nothing serious, and sliders and themes can be changed."""
    data = load_sample("asia").dataset
    swept = sweep("pc", data, "alpha", [0.001, 0.01, 0.05, 0.2])
    file = open_file(
        replay(learn("pc", data), data, title="Asia", sweep=swept),
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
    )
    file.choose(0, 1)
    file.page.evaluate("for (const fold of document.querySelectorAll('footer details')) fold.open = true")
    SCREENSHOTS.mkdir(exist_ok=True)
    for name in ("matrix", "table", "graph"):
        file.picture(name)
        file.page.screenshot(path=SCREENSHOTS / f"replay_file_{name}_{width}_{scheme}.png")
        assert file.page.evaluate("document.documentElement.scrollWidth") <= width
        file.page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
        assert file.page.evaluate(RUN) == []
    file.page.get_by_role("button", name="Slider: What if: Significance level").click()
    file.page.locator(".map summary").click()
    expect(file.page.locator(".map-rows canvas")).to_be_visible()
    assert file.root.get_attribute("data-step") == "2"  # the run's own value
    background = "getComputedStyle(document.querySelector('.graph-view')).backgroundColor"
    before = file.page.evaluate(background)
    for _ in range(2 if scheme == "light" else 1):
        file.page.get_by_role("button", name="Change the theme").click()
    assert file.page.evaluate(background) != before
    file.page.get_by_role("button", name="Slider: Steps of the run").click()
    expect(file.root.locator(".sentence")).to_contain_text("step 27 of 27")


@pytest.mark.deep
def test_a_difference_at_another_value_is_explained(open_file):
    data = DATA["continuous"]
    result, swept = learn("pc", data), sweep("pc", data, "alpha", [0.001, 0.05, 0.3])
    file = open_file(replay(result, data, sweep=swept))
    file.page.get_by_role("button", name="Slider: What if: Significance level").click()
    pair, chain = next(iter(causes(result, swept.results[2]).items()))
    file.choose(*pair)
    expect(file.page.locator(".difference")).to_be_empty()
    file.root.locator("input[type=range]").press("End")
    labels = ("Significance level 0.05", "Significance level 0.3")
    expected = difference(chain, result, swept.results[2], labels).written()
    expect(file.page.locator(".difference p").last).to_have_text(expected[-1])
    note = "The text above explains the run itself (Significance level 0.05)."
    assert tuple(file.page.locator(".difference p").all_inner_texts()) == (note, *expected)


@pytest.mark.deep
def test_the_graph_is_saved_as_an_image(open_file):
    """The policy of the page allows the images that it draws itself."""
    file = open_file(asia_replay())
    for form, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with file.page.expect_download() as saved:
            file.page.get_by_role("button", name=f"Download the graph as shown ({form})").click()
        assert Path(saved.value.path()).read_bytes().startswith(begin)


def asia_replay() -> Replay:
    data = load_sample("asia").dataset
    return replay(learn("pc", data), data)


@pytest.mark.deep
def test_hostile_names_are_shown_as_they_are(open_file):
    names = tuple(dict.fromkeys(HOSTILE))
    data = sample(random_gaussian_network(len(names), 12.0, seed=2), 200, seed=2)
    dataset = type(data).from_values(data.values, names)
    result = learn("pc", dataset)
    title = "<img src=x onerror='window.hacked = 1'>"
    file = open_file(replay(result, dataset, title=title))
    assert file.page.locator("h1").inner_text() == title
    assert file.page.title() == title
    options = file.page.locator(".why .pick select").first.locator("option").all_inner_texts()
    assert len(options) == len(names) + 1
    assert names[0] in options
    file.choose(0, 1)
    file.picture("table")
    assert file.page.evaluate("[window.hacked, window.ran, document.images.length]") == [None, None, 0]
    assert file.page.locator("#replay script, #replay a[href]").count() == 0


def odd_replays() -> dict[str, Replay]:
    """Return runs whose names, graph or table are unusual."""
    rng = np.random.default_rng(0)
    names = ("x" * 300, "\u05de\u05e9\u05ea\u05e0\u05d4 \u202eabc", "<script>window.ran = 1</script>", "a\"b'c`d")
    named = Dataset.from_values(rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4)), names)
    lonely = Dataset.from_values(rng.normal(size=(200, 3)), ("a", "b", "c"))
    columns = dict(zip("abcd", (rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4))).T, strict=True))
    frame = pd.DataFrame(columns).mask(rng.random((300, 4)) < 0.1)
    gaps = Dataset.from_frame(frame)
    empty = learn("pc", lonely, alpha=1e-9)
    assert empty.graph.n_edges == 0
    assert not gaps.complete
    return {
        "names": replay(learn("pc", named), named, include_data=True),
        "empty": replay(empty, lonely),
        "gaps": replay(learn("pc", gaps), gaps, include_data=True),
        "available": replay(learn("pc", gaps, missing="available"), gaps),
    }


@pytest.mark.deep
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
@pytest.mark.parametrize("what", ["names", "empty", "gaps", "available"])
def test_odd_runs_are_shown(open_file, what, width, scheme):
    """Each picture of the file fits the screen; every pair has its explanation; no name is markup."""
    replayed = odd_replays()[what]
    file = open_file(replayed, viewport={"width": width, "height": 844}, color_scheme=scheme)
    for pair in combinations(range(len(replayed.result.names)), 2):
        file.choose(*pair)
        expected = explanation(replayed.result, pair, replayed.dataset).written()
        shown = [" ".join(text.split()) for text in file.page.locator(".why .claim, .why .reasons p").all_inner_texts()]
        assert len(shown) == len(expected)
        assert "undefined" not in " ".join(shown)
        assert "nan" not in " ".join(shown).lower().split()
    for name in ("matrix", "table", "graph"):
        file.picture(name)
        file.page.screenshot(path=SCREENSHOTS / f"replay_file_{what}_{name}_{width}.png")
        assert file.page.evaluate("document.documentElement.scrollWidth") <= width
    assert file.page.evaluate("window.ran ?? null") is None
