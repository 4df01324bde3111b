"""The practice games in a browser: each by pointer on a wide screen and by keys on a phone, with both verdicts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.quiz.graph_tasks import Game, GraphTask, graph_task
from tests.browser.conftest import ROOT, act_and_wait, at_rest, focus
from tests.browser.test_classroom import serious
from viz.classroom.practice import verdict
from viz.translation.captions import CAPTIONS

pytestmark = [pytest.mark.browser, pytest.mark.deep]
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine

SCREENS = {"keys": ({"width": 390, "height": 844}, "de"), "pointer": ({"width": 1280, "height": 900}, "en")}
MARKED = ", ".join(f".edge.{mark}" for mark in ("open", "shut", "traced", "solved"))
# The point of an edge that is farthest from all other edges: where two cross, a click may choose either.
FREE_POINT = """(hit) => {
    const shares = [...Array(19).keys()].map((k) => (k + 1) / 20);
    const points = (path) => shares.map((share) =>
        path.getPointAtLength(path.getTotalLength() * share).matrixTransform(path.getScreenCTM()));
    const others = [...hit.closest("svg").querySelectorAll(".edge .hit")].filter((one) => one !== hit).flatMap(points);
    const room = (at) => Math.min(...others.map((one) => Math.hypot(one.x - at.x, one.y - at.y)));
    const inner = points(hit).slice(4, 15);
    const at = inner.reduce((best, one) => (room(one) > room(best) ? one : best));
    return [at.x, at.y];
}"""


def press(page: Page, part: Locator, how: str) -> None:
    """Click on a node or a button, or focus it and press Enter."""
    if how == "keys":
        focus(part)
        act_and_wait(page, lambda: page.keyboard.press("Enter"))
    else:
        act_and_wait(page, part.click)


def press_edge(page: Page, edge: Locator, how: str) -> None:
    """Click on an edge once the picture is still, or focus it and press Enter."""
    if how == "keys":
        press(page, edge, how)
        return
    hit, place = edge.locator(".hit").first, None
    expect(hit).to_be_attached()
    at_rest(page)
    edge.evaluate("(edge) => edge.scrollIntoView({ block: 'center' })")
    while (now := hit.evaluate(FREE_POINT)) != place:
        place = now
        page.wait_for_timeout(300)
    act_and_wait(page, lambda: page.mouse.click(*place))


def wrong_answer(task: GraphTask):
    """Return a wrong answer that one press chooses."""
    if task.game is Game.SEPARATION:
        return not task.solution
    if task.game in (Game.EQUIVALENCE, Game.REMOVAL):
        return next(edge for edge in (task.shown or task.graph).edges() if not task.is_right(edge))
    inner = [k for k in range(task.graph.p) if k not in task.ends]
    return next(one for one in map(frozenset, ([k] for k in inner)) if not task.is_right(one))


def give(page: Page, task: GraphTask, answer, how: str, language: str) -> None:
    """Give an answer in the picture, or by the buttons of a yes/no task."""
    say, graph = CAPTIONS[language], page.locator(".graph-view[data-ready]").first
    if task.game is Game.SEPARATION:
        label = say["independent" if answer else "dependent"]
        press(page, page.get_by_role("button", name=label, exact=True), how)
    elif isinstance(answer, frozenset):
        for k in sorted(answer):
            press(page, graph.locator(f".node[data-node='{k}']"), how)
            expect(page.get_by_test_id("stMultiSelect")).to_contain_text(task.names[k])
        press(page, page.get_by_role("button", name=say["check"]), how)
    else:
        a, b = answer
        both = f".edge[data-a='{a}'][data-b='{b}'], .edge[data-a='{b}'][data-b='{a}']"
        press_edge(page, graph.locator(both).first, how)
        press(page, page.get_by_role("button", name=say["check"]), how)


@pytest.mark.parametrize("how", SCREENS)
@pytest.mark.parametrize("game", Game)
def test_a_game_is_played_in_the_picture(
    app_server: Callable[..., str], open_page: Callable[..., Page], game: Game, how: str
) -> None:
    """At each level, right and wrong answers get their sentence, the path is lit, and streak and misses are counted."""
    (viewport, language), right = SCREENS[how], 0
    say, page = CAPTIONS[language], open_page(viewport=viewport)
    page.goto(f"{app_server(ROOT / 'app.py')}/lessons?lesson=practice&language={language}")
    expect(page.locator(".graph-view[data-ready]").first).to_be_visible(timeout=240_000)
    at_rest(page)
    page.get_by_role("radio", name=say[f"game {game.value}"], exact=True).click()
    for level in (1, 2, 3):
        page.get_by_role("radio", name=str(level), exact=True).click()
        for is_right in (True, False):
            seed = 2 * level - is_right
            task = graph_task(game, level, seed)
            counted = say["streak"].format(n=right, best=int(seed > 1), task=seed)
            expect(page.get_by_text(counted)).to_be_visible()
            at_rest(page)
            answer = task.solution if is_right else wrong_answer(task)
            give(page, task, answer, how, language)
            expect(page.get_by_test_id("stAlert")).to_contain_text(verdict(task, answer, say, TEXTS[language]))
            expect(page.locator(MARKED).first).to_be_attached()
            right = right + 1 if is_right else 0
            press(page, page.get_by_role("button", name=say["next task"]), how)
    expect(page.get_by_text(say["missed"].format(games=f"{say[f'game {game.value}']} (3)"))).to_be_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})  # a narrow menu is a list of Streamlit's with own findings
    at_rest(page)
    assert serious(page) == []
