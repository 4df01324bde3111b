"""Texts on arrows with a probability agree with the posterior."""

from __future__ import annotations

from itertools import combinations

import pytest

from learners import learn, load_sample
from learners.common.wording import format_percent
from learners.evaluation.posterior import Posterior
from learners.explaining.explanation import event_sentence, explanation
from learners.families.averaging.probable_edges import of_posterior
from learners.results.events import Action

ASIA = load_sample("asia").dataset.take(range(600))
RUNS = (
    ("exact_posterior", {}),
    ("order_mcmc", {"steps": 4_000}),
    ("order_mcmc", {"steps": 4_000, "prior": "dags"}),
    ("order_mcmc", {"steps": 4_000, "prior": "classes"}),
)


@pytest.fixture(scope="module", params=RUNS, ids=["exact", "orders", "dags", "classes"])
def run(request):
    key, settings = request.param
    return learn(key, ASIA, **settings)


@pytest.mark.gate_cases(2)
def test_the_slider_begins_with_the_graph_of_the_result(run):
    """The first graph has the pairs and arrows of the result."""
    edges = of_posterior(run.posterior)
    assert edges.graph(edges.choice) == run.graph


@pytest.mark.gate_cases(1)
def test_every_arrow_shows_the_share_in_which_it_is_compelled(run):
    """An open edge is compelled in less than half of the classes; the text names the influence of an order prior."""
    seen = set()
    for x, y in combinations(range(ASIA.p), 2):
        text, mark = " ".join(explanation(run, (x, y)).sentences), run.graph.mark(x, y)
        if mark == "none" or "cannot direct an edge" in text:
            continue
        a, b = (x, y) if run.posterior.compelled[x, y] >= run.posterior.compelled[y, x] else (y, x)
        share = run.posterior.compelled[a, b] / run.posterior.adjacent[a, b]
        way = f"{run.names[a]} → {run.names[b]}"
        rounded = min(share, 0.94) if share < 0.95 else share
        direction = f"Graphs that compel it have {format_percent(rounded)} of the probability of the edge"
        open_edge = f"Equivalence classes that compel {way} make up {format_percent(share)} of P(edge)."
        assert (open_edge in text) != (mark != "undirected" and direction in text)
        assert ("so the direction is open" in text) == (mark == "undirected") == (share < 0.5)
        leans = max(run.posterior.directed[x, y], run.posterior.directed[y, x]) >= 0.75 * run.posterior.adjacent[x, y]
        by_orders = run.params.get("prior", "orders") == "orders"
        assert ("more orders" in text) == (mark == "undirected" and leans and by_orders)
        seen.add(mark == "undirected")
    assert seen == {True, False}


def test_the_run_shows_the_share_of_each_arrow(run):
    """The share is shown in the line below the slider."""
    arrows = [event for event in run.trace if event.action is Action.ORIENT]
    assert arrows
    for event in arrows:
        share = run.posterior.compelled[event.i, event.j] / run.posterior.adjacent[event.i, event.j]
        expected = (
            f"{run.names[event.i]} → {run.names[event.j]}: compelled in {format_percent(share)} of its probability"
        )
        assert event_sentence(run, event).text(run.names) == expected


def test_draws_that_an_earlier_version_kept_tell_compelled_arrows(run):
    """Draws of an earlier version, stored without the compelled arrows of their classes, give the same shares."""
    posterior = run.posterior
    if "directed" in posterior.known:
        earlier = Posterior(posterior.classes, posterior.shares, {"directed": posterior.directed})
        assert earlier.compelled == pytest.approx(posterior.compelled, abs=1e-12)
