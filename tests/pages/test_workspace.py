"""Tests that a session's work is restored in the next session of the same workspace, and in no other."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from learners import learn
from learners.common.errors import DataError
from learners.data.resampling import held_out
from learners.store import project_file, projects, run_owner, runs, share_links, workspaces
from learners.store.background_writer import BackgroundWriter
from learners.store.faults import UNREACHABLE, StoreFault
from learners.store.monitor import StoreMonitor
from learners.store.packing import pack
from learners.store.settings import StoreSettings
from learners.store.store import Store
from learners.verdict.assumptions import Assumptions
from learners.verdict.pair_evidence import Shares
from learners.verdict.trust import Trust
from learners.workers.remote import write_result
from pages.session import autosave, restore, serialize, storage, workspace
from pages.session.jobs import ownership
from tests.pages.driving import (
    errors,
    finish_run,
    go,
    learn_now,
    open_app,
    plain,
    press,
    small_table,
    sound,
    title,
    upload,
)
from tests.pages.test_rare_values import SECRETS, private_table, texts_of
from viz.translation.sentences import catalog

OWN, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return a store for one test."""
    health, writer = StoreMonitor(StoreSettings(f"sqlite:///{tmp_path / 'x.sqlite'}", tmp_path)), BackgroundWriter()
    monkeypatch.setattr(storage, "health", lambda: health)
    monkeypatch.setattr(storage, "writer", lambda: writer)
    for name in ("held", "unkept"):  # shared by all sessions, including those of other tests
        monkeypatch.setattr(storage, name, {})
    return health.store


@pytest.fixture
def browse(store: Store, monkeypatch: pytest.MonkeyPatch):  # noqa: ARG001
    """Return ``browse(address, page)``: a new session of the browser with that cookie."""

    def one(secret: str = OWN, page: str | None = None) -> AppTest:
        storage.writer().wait()
        monkeypatch.setattr(workspace, "address", lambda: secret)
        return sound(open_app(page))

    return one


def graphs(at: AppTest) -> list:
    return [run.result.graph for run in at.session_state["runs"]]


def test_next_session_shows_what_this_one_made(browse):
    first = sound(learn_now(upload(browse(page="data"), small_table(), "mine.csv")))
    first.session_state["by_hand"] = {("mine.csv", "layered"): {"a": (1.0, 2.0)}}
    first.session_state["pair"] = ("a", "c")
    press(go(first, "build"), "build_add")
    go(first, "inspect")
    then = browse()
    drawn = then.session_state["build"]
    assert drawn.draft.edges == first.session_state["build"].draft.edges
    assert drawn.draft.nodes["A"] == ("no", "yes")
    assert drawn.places["A"] == first.session_state["build"].places["A"]
    assert then.session_state["source"].title == "mine.csv"
    assert then.session_state["source"].plan == first.session_state["source"].plan
    assert graphs(then) == graphs(first)
    one, other = then.session_state["runs"][-1], first.session_state["runs"][-1]
    assert (one.number, one.title, one.ticket) == (other.number, other.title, other.ticket)
    assert np.array_equal(one.result.strengths.values, other.result.strengths.values, equal_nan=True)
    assert dict(one.result.directions) == dict(other.result.directions)
    assert one.dataset.fingerprint == other.dataset.fingerprint
    for name in ("by_hand", "pair", "step", "layout", "current"):
        assert then.session_state[name] == first.session_state[name]
    assert sound(go(then, "inspect"))
    assert graphs(browse(OTHER)) == graphs(first)[:1]  # the run with which every visitor starts


@pytest.mark.deep
@pytest.mark.usefixtures("store")
def test_a_workspace_opened_by_its_address_is_said_to_be_that_and_left_with_one_click(monkeypatch):
    monkeypatch.setattr(workspace, "own_address", lambda: OTHER)
    learn_now(open_app(w=OWN))
    storage.writer().wait()
    at = sound(go(open_app(w=OWN), "learn"))
    assert len(at.session_state["runs"]) == 2
    assert any("opened by its address" in one.value for one in at.markdown)
    sound(press(at, "whose_own"))
    assert len(at.session_state["runs"]) == 1
    assert not any("opened by its address" in one.value for one in go(at, "learn").markdown)


@pytest.mark.deep
def test_a_run_changed_at_once_is_one_run_that_is_there_again_as_it_was_last(browse, store):
    at = go(learn_now(upload(browse(page="data"), small_table(), "mine.csv")), "inspect")
    press(at, "inspect_pin")
    first, n_runs = at.session_state["runs"][-1], workspaces.size(store, work_of(store))[1]
    for alpha in (0.3, 0.2):
        (box,) = (one for one in at.number_input if one.key.startswith("live") and one.key.endswith("_alpha"))
        sound(box.set_value(alpha).run())
    assert workspaces.size(store, work_of(store))[1] == n_runs
    then = browse()
    run = then.session_state["runs"][-1]
    assert (run.result.params["alpha"], run.number, run.ticket) == (0.2, first.number, first.ticket)
    assert [one.graph for one in then.session_state["pins"]] == [first.result.graph]


@pytest.mark.deep
def test_notes_are_there_again_and_go_with_a_copy_of_the_project(browse, store):
    at = go(learn_now(browse()), "inspect")
    ticket = at.session_state["runs"][-1].ticket
    at.text_area(key=f"note_{ticket}").set_value("<b>of the run</b>").run()
    at.session_state["runs"][-1].data["explained"] = [(0, 1)]
    sound(go(at, "projects").text_area(key="note_").set_value("of the project").run())
    then = browse(page="projects")
    assert then.text_area(key="note_").value == "of the project"
    (own,) = projects.listed(store, work_of(store))
    copy = projects.duplicate(store, work_of(store), own.id)
    then = go(press(go(browse(), "projects"), f"projects_open_{copy}"), "inspect")
    run = then.session_state["runs"][-1]
    assert run.ticket != ticket
    assert then.text_area(key=f"note_{run.ticket}").value == "<b>of the run</b>"
    assert run.data["explained"] == [(0, 1)]


def test_verdicts_on_arrows_are_there_again_if_they_fit_their_run(browse):
    at = go(learn_now(browse()), "inspect")
    run = at.session_state["runs"][-1]
    run.data["trust"] = found = judged(run.result.names, 0.25)
    go(at, "data")
    (again,) = [one for one in browse(page="inspect").session_state["runs"] if one.ticket == run.ticket]
    assert again.data["trust"].cause.tolist() == found.cause.tolist()
    assert again.data["trust"].support["BOSS"].head.tolist() == found.support["BOSS"].head.tolist()
    others = judged((*run.result.names[:-1], "other"), 0.5)
    for unfit in (others, replace(found, kind="../x"), replace(found, hidden_share=0.3)):
        run.data["trust"] = unfit
        go(at, "learn")
        (again,) = [one for one in browse(page="inspect").session_state["runs"] if one.ticket == run.ticket]
        assert "trust" not in again.data


def judged(names: tuple[str, ...], p: float) -> Trust:
    """Return a verdict with the same probability for all pairs."""
    all_ = np.full((len(names),) * 2, p)
    shares = {"BOSS": Shares(all_, all_, all_)}
    return Trust(names, all_, all_, all_, all_ > 1, Assumptions(()), n_resamples=12, support=shares)


def test_visit_that_makes_nothing_leaves_nothing(browse, store):
    go(go(browse(), "learn"), "inspect")
    storage.writer().wait()
    assert workspaces.find(store, OWN) is None


@pytest.mark.deep
def test_run_whose_process_ended_is_started_again_with_one_click(browse, store, slow_runs, monkeypatch):
    """One click repeats the run; the partial result that its worker left can be shown first."""
    under_way = press(go(browse(), "learn"), "learn_run")
    order = under_way.session_state["under_way"].order
    had = learn("pc", order.dataset, tick=lambda *_: False)
    write_result(str(store.blobs.left(work_of(store), order.ticket)), had)
    monkeypatch.setattr(run_owner, "is_alive", lambda *_: False)
    then = browse(page="learn")
    sound(press(then, f"learn_partial_{order.ticket}"))
    assert graphs(then)[1:] == [had.graph]
    (again,) = [one for one in go(then, "learn").button if one.key and one.key.startswith("learn_again_")]
    slow_runs()
    finish_run(under_way)
    finish_run(again.click().run())
    assert len(then.session_state["runs"]) == 3
    assert not [one for one in go(then, "learn").button if one.key and one.key.startswith("learn_again_")]


@pytest.mark.deep
def test_what_a_worker_left_is_there_for_two_tabs_that_come_at_once(browse, store, monkeypatch):
    """The first tab saves the stopped run; the second finds no file, but the saved run."""
    at = learn_now(browse())
    workspace_id = work_of(store)
    (project,) = projects.listed(store, workspace_id)
    here, order = storage.Place(OWN, workspace_id, project.id), an_order(at)
    autosave._begin(here, order, "left")
    part = dataclasses.replace(at.session_state["runs"][-1].result, complete=False)
    monkeypatch.setattr(run_owner, "is_alive", lambda *_: False)
    monkeypatch.setattr(workspace, "place", lambda: here)
    (stopped,) = [one for one in runs.listed(store, workspace_id, project.id)[0] if one.id == order.ticket]
    assert restore._rescued(stopped) == stopped  # no partial result yet
    with monkeypatch.context() as now:
        now.setattr(store.blobs, "left", lambda *_: None)  # as in a database server, without files
        assert restore._rescued(stopped) == stopped
    write_result(str(store.blobs.left(workspace_id, order.ticket)), part)
    assert [restore._rescued(stopped).has_result for _ in range(2)] == [True, True]


@pytest.mark.deep
def test_run_goes_on_when_its_page_is_closed_and_is_taken_up_by_who_comes_back(browse, slow_runs, monkeypatch):
    first = press(go(browse(), "learn"), "learn_run")
    job = first.session_state["job"]
    assert not browse().session_state["job"]  # the run belongs to the first page while that is open
    monkeypatch.setattr(ownership, "is_there", lambda session: False)  # noqa: ARG005
    then = browse(page="learn")
    assert then.session_state["job"] is job
    assert not browse(OTHER).session_state["job"]
    slow_runs()
    sound(finish_run(then))
    assert then.session_state["runs"][-1].result.complete
    assert then.session_state["runs"][-1].ticket == browse().session_state["runs"][-1].ticket


@pytest.mark.deep
def test_run_that_nobody_came_back_to_is_stopped_with_what_it_had(browse, house, slow_runs, monkeypatch):
    """The stopped run shows its partial result and can be repeated by one click; a waiting run has nothing to show."""
    house.allowed = dataclasses.replace(house.allowed, jobs=1, abandoned_seconds=1e-9)
    jobs = [press(go(browse(), "learn"), "learn_run").session_state["job"] for _ in range(2)]
    storage.writer().wait()
    monkeypatch.setattr(ownership, "is_there", lambda session: False)  # noqa: ARG005
    house.look()
    assert all(job.wait(30) for job in jobs)
    then = browse(page="learn")
    assert [one.key[:13] for one in then.button if one.key].count("learn_partial") == 1
    (show,) = [one for one in then.button if one.key and one.key.startswith("learn_partial_")]
    assert sum(one.value.endswith("(stopped)") for one in then.markdown) == 2
    sound(show.click().run())
    (run,) = then.session_state["runs"][1:]
    assert not run.result.complete
    (ended,) = [one for one in run.result.warnings if one.code == "ended"]
    assert ended.startswith("the run was ended because nobody had come back to it for")
    assert ended.written(catalog("de")).startswith("der Lauf wurde beendet: niemand kam zu ihm zurück")
    house.allowed = dataclasses.replace(house.allowed, abandoned_seconds=1e9)
    slow_runs()
    again = next(one for one in go(then, "learn").button if one.key and one.key.startswith("learn_again_"))
    sound(finish_run(again.click().run()))
    assert then.session_state["runs"][-1].result.complete


def name_of_project(store: Store) -> str:
    storage.writer().wait()
    (found,) = projects.listed(store, work_of(store))
    return found.name


def learn_table(at: AppTest, name: str, columns: tuple[str, ...]) -> AppTest:
    return sound(go(learn_now(upload(go(at, "data"), small_table(columns), name)), "learn"))


@pytest.mark.deep
def test_project_is_named_after_the_tables_of_its_runs(browse, store):
    """The name stays up to date after a restart until the user edits it; the table of a new session does not count."""
    at = learn_table(browse(), "mine.csv", ("a", "b", "c"))
    assert name_of_project(store) == "mine.csv"
    learn_table(at, "yours.csv", ("x", "y", "z"))
    assert name_of_project(store) == "mine.csv and yours.csv"
    then = learn_table(browse(), "theirs.csv", ("u", "v", "w"))
    assert len({run.source.title for run in then.session_state["runs"]}) == 4
    assert name_of_project(store) == "mine.csv, yours.csv and 1 other table"
    (project,) = projects.listed(store, work_of(store))
    projects.rename(store, work_of(store), project.id, "Clinic")
    learn_table(then, "last.csv", ("k", "l", "m"))
    assert name_of_project(store) == "Clinic"


@pytest.mark.deep
def test_projects_are_made_opened_named_copied_and_deleted(browse, store):
    at = go(learn_now(browse()), "projects")
    (first,) = projects.listed(store, work_of(store))
    at.text_input(key=f"projects_name_{first.id}").set_value("Clinic").run()
    press(at, f"projects_rename_{first.id}")
    press(at, f"projects_duplicate_{first.id}")
    assert sorted(one.name for one in projects.listed(store, work_of(store))) == ["Clinic", "Copy of Clinic"]
    sound(press(at, "projects_new"))
    assert title(at).startswith("Learn a Bayesian network")
    assert len(at.session_state["runs"]) == 1
    go(at, "projects")
    assert len(projects.listed(store, work_of(store))) == 3
    sound(press(at, f"projects_open_{first.id}"))
    assert len(at.session_state["runs"]) == 2
    go(at, "projects")
    sound(press(at, f"projects_delete_{first.id}"))
    assert "Clinic" not in [one.name for one in projects.listed(store, work_of(store))]


@pytest.mark.deep
@pytest.mark.parametrize("data", [True, False])
def test_project_is_taken_to_another_workspace_in_a_file(browse, store, data):
    """Without its data, the project is complete once its table is uploaded too."""
    press(go(learn_now(upload(browse(page="data"), small_table(), "mine.csv")), "inspect"), "inspect_pin")
    workspace = work_of(store)
    (own,) = projects.listed(store, workspace)
    raw = project_file.export_project(store, workspace, own.id, data=data)
    at = browse(OTHER, "projects")
    sound(at.file_uploader(key="projects_file").set_value(("p.edgewise", raw, "application/zip")).run())
    (made,) = projects.listed(store, workspaces.find(store, OTHER).id)
    sound(press(at, f"projects_open_{made.id}"))
    if not data:
        assert "mine.csv" not in [run.source.title for run in at.session_state["runs"]]
        upload(go(at, "data"), small_table(), "mine.csv")
        at = browse(OTHER)
    assert any(run.source.title == "mine.csv" for run in at.session_state["runs"])
    assert not data or [one.run.source.title for one in at.session_state["pins"]] == ["mine.csv"]


def test_a_project_and_a_link_hold_the_table_only_on_request(browse, store):
    at = sound(go(learn_now(upload(browse(page="data"), private_table(), "private.csv")), "inspect"))
    assert not at.toggle(key="share_data_inspect").value
    workspace = work_of(store)
    (own,) = projects.listed(store, workspace)
    assert not sound(go(at, "projects")).toggle(key=f"projects_data_{own.id}").value
    raw = {data: project_file.export_project(store, workspace, own.id, data=data) for data in (False, True)}
    assert not SECRETS.search(texts_of(raw[False]))
    assert SECRETS.search(texts_of(raw[True]))


@pytest.mark.deep
def test_decisions_about_each_table_survive_a_reload(browse):
    at = upload(browse(page="data"), private_table(), "first.csv")
    here = at.session_state["source"]
    at.session_state["source"] = replace(here, steps=(*here.steps, ("a change", here.plan)))
    at = learn_now(upload(go(at, "data"), small_table(), "second.csv"))
    again = browse(page="data")
    assert [one.title for one in again.session_state["tables"].values()][-2:] == ["first.csv", "second.csv"]
    again = sound(upload(again, private_table(), "first.csv"))
    assert [label for label, _ in again.session_state["source"].steps] == ["a change"]


def test_file_that_is_no_project_is_refused_in_a_sentence(browse, store):
    at = browse(page="projects")
    sound(at.file_uploader(key="projects_file").set_value(("p.edgewise", b"no", "application/zip")).run())
    assert any("The project file is corrupt" in plain(message) for message in errors(at))
    assert projects.listed(store, work_of(store)) == []
    assert title(at) == "Projects"


def work_of(store: Store) -> str:
    storage.writer().wait()
    return workspaces.find(store, OWN).id


@pytest.mark.deep
def test_run_that_made_room_is_brought_back(browse, store, monkeypatch):
    monkeypatch.setattr("pages.session.state.MAX_RUNS", 2)
    at = learn_now(learn_now(browse()))
    entries, n = runs.listed(store, work_of(store), workspaces.find(store, OWN).opened)
    assert n == 3
    sound(press(go(at, "projects"), f"projects_show_{entries[-1].id}"))
    assert at.session_state["runs"][at.session_state["current"]].number == 1
    sound(press(go(at, "projects"), f"projects_remove_{entries[-1].id}"))
    assert 1 not in [run.number for run in at.session_state["runs"]]
    assert workspaces.size(store, work_of(store))[1] == 2


@pytest.mark.deep
def test_forgotten_workspace_is_gone_and_nothing_is_kept_if_that_is_wished(browse, store):
    at = go(learn_now(browse()), "projects")
    sound(press(at, "projects_keep_nothing"))
    assert len(at.session_state["runs"]) == 1
    learn_now(at)
    found = workspaces.find(store, OWN)
    assert (found.keeps, workspaces.size(store, found.id)) == (False, (0, 0))
    sound(press(go(at, "projects"), "projects_keep"))
    learn_now(at)
    assert len(browse().session_state["runs"]) > 1


@pytest.mark.deep
@pytest.mark.parametrize("choice", ["projects_forget", "projects_keep_nothing"])
def test_a_session_forgets_what_another_made_since_it_began(browse, store, choice):
    first, second, third = go(browse(), "projects"), browse(), browse()
    learn_now(second)
    storage.writer().wait()
    sound(press(first, choice))
    learn_now(third)  # this session was opened before the choice
    storage.writer().wait()
    found = workspaces.find(store, OWN)
    assert found.keeps == (choice == "projects_forget")
    assert workspaces.size(store, found.id)[1] == 2 * found.keeps


@pytest.mark.deep
def test_part_that_another_session_tidied_up_is_put_again(browse, store, monkeypatch):
    put, tidied = storage.put, []

    def put_in_vain_once(workspace, value):
        name = put(workspace, value)
        if not tidied:
            tidied.append(name)
            with store.tidying(workspace):
                pass
        return name

    monkeypatch.setattr(storage, "put", put_in_vain_once)
    at = learn_now(browse())
    assert len(tidied) == 1
    assert graphs(browse()) == graphs(at)


@pytest.mark.deep
def test_project_of_a_stranger_that_says_nonsense_shows_its_runs_all_the_same(browse, store):
    at = learn_now(browse())
    workspace = work_of(store)
    (own,) = projects.listed(store, workspace)
    odd = {"numbers": 1, "layout": 2, "kept": 3, "pins": ((4,),), "known": 5, "by_hand": 6}
    projects.save(store, workspace, own.id, pack(odd), [])
    then = browse(page="projects")
    assert any("is corrupt" in message for message in errors(then))
    assert graphs(then) == graphs(at)


def test_full_workspace_is_said_and_the_run_is_shown_all_the_same(browse, store):
    store.settings = StoreSettings(store.settings.url, store.settings.folder, runs=1)
    at = learn_now(browse())
    assert len(at.session_state["runs"]) == 2
    assert any("may hold 1 run" in one.value for one in go(at, "projects").error)


def refuse(*_given: object) -> None:
    raise DataError("the workspace is full")


@pytest.mark.deep
@pytest.mark.parametrize("room", ["runs", "megabytes"])
def test_a_run_for_which_there_was_no_room_is_kept_once_there_is(browse, store, monkeypatch, room):
    """A run refused before its start or at its end shows a message until it is saved, and nothing of it is lost."""
    monkeypatch.setattr(storage, "AGAIN_SECONDS", 0.0)
    generous = store.settings
    at = learn_now(browse())
    with monkeypatch.context() as now:
        if room == "megabytes":  # no space left at its end
            now.setattr(runs, "_finish", refuse)
        else:
            store.settings = dataclasses.replace(generous, runs=2)
        at = learn_now(at)
        assert len(at.session_state["runs"]) == 3
        assert any("the workspace is full" in one.value.lower() for one in go(at, "projects").error)
    store.settings = generous
    at = go(at, "inspect")
    storage.writer().wait()
    assert not [one.value for one in go(at, "projects").error]
    assert graphs(browse()) == graphs(at)


def test_why_a_run_was_not_kept_holds_nothing_of_it(browse):
    """The reason of a failed save keeps no reference to the run, which would stay in memory after its session."""
    browse()
    run = dataclasses.make_dataclass("Run", [])()
    there = weakref.ref(run)
    saved = storage.keep("x", "somebody", partial(refuse, run))
    assert str(saved.exception()) == storage.unkept.pop("x").reason == storage.writer().failed("somebody")
    storage.writer().wait()
    del run, saved
    gc.collect()
    assert there() is None


def an_order(at: AppTest) -> serialize.Order:
    """Return the order that repeats a run of the session."""
    run = at.session_state["runs"][-1]
    given = run.result.method, run.dataset, run.knowledge, run.result.params, run.source
    return serialize.Order(*given, run.aside, run.seed, run.recipe, ticket="c" * 32)


def test_an_order_is_read_as_it_was_stored_with_its_held_out_rows(browse):
    order = an_order(learn_now(browse()))
    train, aside = held_out(order.source.dataset, 0.2, seed=0)
    parts: dict[str, bytes] = {}

    def put(part: object) -> str:
        parts[str(len(parts))] = pack(part)
        return str(len(parts) - 1)

    for given in (order, dataclasses.replace(order, dataset=train, aside=aside)):
        again = serialize.Reader(parts.get).order(serialize.packed_order_of(given, put), given.ticket)
        assert again.dataset.fingerprint == given.dataset.fingerprint
        assert (again.aside and again.aside.fingerprint) == (given.aside and given.aside.fingerprint)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_a_run_for_which_there_was_no_room_is_kept_once_its_session_has_left(browse, store, monkeypatch, begun, whole):
    """The process saves the run as done, or as stopped with its partial result, and then releases it."""
    at = learn_now(browse())
    (project,) = projects.listed(store, work_of(store))
    here = storage.Place(OWN, work_of(store), project.id)
    order, result = an_order(at), at.session_state["runs"][-1].result
    result = result if whole else dataclasses.replace(result, complete=False)
    with monkeypatch.context() as now:
        if begun:
            autosave._begin(here, order, "begun")
        else:
            now.setattr(runs, "_next_number", refuse)
            storage.keep(order.ticket, OWN, partial(autosave._begin, here, order, "never begun"))
        now.setattr(runs, "_finish", refuse)
        autosave.finish(here, order, result, stopped=True)
        assert storage.unkept[order.ticket].reason == "the workspace is full"
        storage.writer().wait()
        listed = [one for one in runs.listed(store, here.workspace, here.project)[0] if one.id == order.ticket]
        actual = [(one.state, one.said, one.has_result) for one in listed]
        assert actual == ([("stopped", autosave.NO_ROOM, False)] if begun else [])
        storage.held[order.ticket].due = 0.0
        storage.try_held()
        storage.writer().wait()
        assert storage.held[order.ticket].pause == 2 * storage.AGAIN_SECONDS
    storage.held[order.ticket].due = 0.0
    storage.try_held()
    storage.writer().wait()
    entries, _ = runs.listed(store, here.workspace, here.project)
    entry = next(one for one in entries if one.id == order.ticket)
    assert (entry.state, entry.has_result) == ("done" if whole else "stopped", True)
    assert order.ticket not in storage.unkept
    storage.try_held()
    assert not storage.held


@pytest.mark.deep
def test_projects_say_why_a_run_was_stopped_and_offer_to_start_it_again_before_removing_it(browse, store):
    at = learn_now(browse())
    (project,) = projects.listed(store, work_of(store))
    here, order = storage.Place(OWN, work_of(store), project.id), an_order(at)
    autosave._begin(here, order, "its title")
    runs.stop(store, here.workspace, order.ticket, autosave.NO_ROOM)
    then = browse(page="projects")
    (line,) = [plain(one.value) for one in then.markdown if "its title" in one.value]
    assert line.endswith("its title: stopped, its result could not be saved yet")
    keys = [one.key for one in then.button if one.key and one.key.endswith(order.ticket)]
    assert keys == [f"projects_again_{order.ticket}", f"projects_remove_{order.ticket}"]
    sound(finish_run(press(then, keys[0])))
    assert then.session_state["runs"][-1].result.complete


def test_runs_without_room_are_not_held_for_ever(monkeypatch):
    """Only a few runs are kept, for a limited time; runs of a deleted workspace are dropped."""
    monkeypatch.setattr(storage, "held", {})
    monkeypatch.setattr(storage, "unkept", {f"{k}": storage.Unkept("full", 0.0) for k in range(20)})
    for k in range(20):
        storage.hold(f"{k}", OWN if k % 2 else OTHER, refuse, 0.0 if k == 19 else 100.0)
    assert list(storage.held) == [f"{k}" for k in range(12, 20)]
    storage.try_held()
    assert "19" not in storage.held
    storage.forget("18")
    storage.forget_all_of(OWN)
    assert list(storage.held) == ["12", "14", "16"]
    storage.hold("18", OTHER, refuse, 100.0)
    assert "18" not in storage.held


@pytest.mark.deep
def test_link_shows_a_run_to_others_where_it_was_until_it_is_withdrawn(browse, store, monkeypatch):
    at = go(learn_now(browse()), "inspect")
    at.toggle(key="share_data_inspect").set_value(True).run()
    press(at, "share_make_inspect")
    made = at.session_state["shared_address"][1]
    query = dict(parse_qsl(urlsplit(made).query))
    monkeypatch.setattr(workspace, "address", lambda: OTHER)
    other = sound(go(open_app(**query), "inspect"))
    assert graphs(other) == graphs(at)[1:]
    assert any("This is a shared view until" in one.value for one in other.info)
    assert any("This is a shared view" in one.value for one in go(other, "projects").info)
    learn_now(other)
    storage.writer().wait()
    assert workspaces.find(store, OTHER) is None  # and nothing is saved for the viewer
    assert workspaces.size(store, work_of(store))[1] == 2
    (button,) = [one for one in go(at, "projects").button if one.key and one.key.startswith("share_withdraw_")]
    sound(button.click().run())
    refused = open_app(**query)
    assert errors(refused) == ["This link has ended or was withdrawn; ask for another one."]
    assert graphs(refused) != graphs(at)[1:]


def test_link_without_the_table_shows_the_run_and_no_rows(browse):
    at = go(browse(), "inspect")  # the run with which every visitor starts
    press(at, "share_make_inspect")
    query = dict(parse_qsl(urlsplit(at.session_state["shared_address"][1]).query))
    other = sound(go(open_app(**query), "inspect"))
    assert graphs(other) == graphs(at)
    other.session_state["pair"] = at.session_state["runs"][0].result.names[:2]
    actual = [one.value for one in sound(other.run()).caption]
    assert any("rows are hidden" in one for one in actual)
    assert any("none is available" in one for one in actual)
    assert "download_network_form" in {one.key for one in at.selectbox} - {one.key for one in other.selectbox}
    assert not [one for one in other.get("plotly_chart") if one.proto.id.endswith("why_data")]
    for page in ("data", "learn", "query", "effects"):
        assert any("shared without its data" in one.value for one in sound(go(other, page)).info)
        assert not other.dataframe
        assert not other.get("download_button")
    assert not go(other, "compare").multiselect


def fall_silent(*_given: object, **_named: object) -> None:
    raise StoreFault(UNREACHABLE)


def test_a_store_that_did_not_answer_for_a_moment_is_read_again(browse, monkeypatch):
    at = learn_now(browse())
    storage.writer().wait()
    with monkeypatch.context() as now:
        now.setattr(projects, "body", fall_silent)
        then = browse()
    assert graphs(then) != graphs(at)
    assert graphs(sound(go(then, "projects"))) == graphs(at)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("silent", [(share_links, "find"), (runs, "read")])
def test_a_link_says_that_the_store_does_not_answer(browse, monkeypatch, silent):
    at = go(learn_now(browse()), "inspect")
    press(at, "share_make_inspect")
    query = dict(parse_qsl(urlsplit(at.session_state["shared_address"][1]).query))
    monkeypatch.setattr(*silent, fall_silent)
    assert errors(open_app(**query)) == ["The server cannot reach its storage; try again in a while."]


@pytest.mark.deep
def test_link_shows_a_comparison(browse):
    at = go(learn_now(learn_now(browse())), "compare")
    press(at, "share_make_compare")
    query = dict(parse_qsl(urlsplit(at.session_state["shared_address"][1]).query))
    other = sound(go(open_app(**query), "compare"))
    assert graphs(other) == graphs(at)[1:]
    assert len(other.multiselect(key="compare_moments").value) == 2


@pytest.mark.deep
def test_the_roles_of_a_drawing_outlive_a_reload(browse):
    """Roles of a pasted DAGitty model are saved with the drawing; Build exports them again in the next session."""
    first = browse(page="build")
    first.text_area(key="build_dagitty").set_value(
        "dag { X [exposure] Y [outcome] Z [adjusted] U [latent] U -> X -> Y <- Z }"
    )
    first = sound(press(sound(first.run()), "build_dagitty_open"))
    go(first, "inspect")
    then = go(browse(), "build")
    text = next(one.value for one in then.code if one.value.startswith("dag {"))
    for name, role in (("X", "exposure"), ("Y", "outcome"), ("Z", "adjusted"), ("U", "latent")):
        assert f'"{name}" [{role},' in text
