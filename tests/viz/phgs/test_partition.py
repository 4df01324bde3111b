"""Views of clusters: letters and colours, the tree and its cut, the table, and calls compared with PC."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest

from learners import load_network, sample
from learners.families.phgs.clustering import labels_at, partition
from learners.families.phgs.partitioned import CallKind
from learners.families.phgs.ppc import PartitionedEvidence
from learners.io.samples import load_sample
from learners.registry import learn
from tests.viz.annotations import annotations_outside
from tests.viz.cases import HOSTILE
from viz.cluster_marks import COLOURS, blend, cluster_sizes, colour, grouped, groups_of, ink, mark, shape
from viz.kinds import kind_of, timeline
from viz.phgs import calls, tables
from viz.phgs.dendrogram import (
    GREY,
    MAX_LEAVES,
    TOP_BRANCHES,
    cut_figure,
    dendrogram_figure,
    description,
    is_collapsed,
)
from viz.pyvis_network import network_html
from viz.translation.sentences import translated

LIGHT, DARK = "#ffffff", "#171614"  # backgrounds of the page in both themes


@pytest.fixture(scope="module")
def child():
    """Return pPC on a sample of twenty variables."""
    return learn("ppc", load_sample("child").dataset)


def luminance(hue: str) -> float:
    channels = [int(hue[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("k", range(20))
def test_each_of_twenty_clusters_has_a_look_of_its_own_that_can_be_read(k):
    """The contrast is 3:1 on both themes and 4.5:1 for letters; no two share a letter, or colour and shape."""
    assert min(contrast(colour(k), LIGHT), contrast(colour(k), DARK)) >= 3
    assert contrast(ink(k), colour(k)) >= 4.5
    others = [other for other in range(20) if other != k]
    assert mark(k) not in map(mark, others)
    assert (colour(k), shape(k)) not in [(colour(other), shape(other)) for other in others]


def test_letters_go_on_after_z():
    """The letters A to Z are followed by A2."""
    assert [mark(k) for k in (0, 25, 26, 51, 52)] == ["A", "Z", "A2", "Z2", "A3"]
    assert len(COLOURS) == len(set(COLOURS))


def test_picture_with_clusters_is_the_same_picture(child):
    """Only the node groups and their legend are added; the original data are unchanged."""
    labels = partitioned(child).labels
    plain = timeline(child, np.zeros((20, 2)))
    data = grouped(plain, labels)
    assert [node.pop("group") for node in data["nodes"]] == labels.tolist()
    assert data.pop("groups") == groups_of(labels)
    assert data == plain
    assert "groups" not in plain
    assert [group["name"] for group in groups_of(labels)] == [
        f"cluster {letter}, {size} variables" for letter, size in (("A", 12), ("B", 3), ("C", 5))
    ]
    assert cluster_sizes(labels) == "A 12, B 3, C 5"


def partitioned(result):
    """Return the evidence of a run that clustered its variables."""
    return kind_of(result).special_part(PartitionedEvidence, result)


@pytest.mark.parametrize("key", ["ppc", "path", "phgs"])
def test_partition_is_found_in_every_learner_that_has_one(key):
    """Learners with a later search and cancelled runs are included."""
    data = load_sample("asia").dataset
    whole = learn(key, data)
    assert partitioned(whole).labels.tolist() == partitioned(learn("ppc", data)).labels.tolist()
    asked = iter(range(1000))
    cut_short = learn(key, data, tick=lambda *_: next(asked) < 1)
    assert partitioned(cut_short) is None


@pytest.mark.parametrize(("key", "settings"), [("pc", {}), ("hc", {}), ("path", {"skeleton": "pc"})])
def test_other_runs_have_no_partition(key, settings):
    """PC, a score-based search, and PATH on PC have no partition."""
    assert partitioned(learn(key, load_sample("asia").dataset, **settings)) is None


@pytest.mark.parametrize("dark", [False, True])
def test_network_view_shows_the_clusters(child, dark):
    """Each node carries the letter and the colour of its cluster."""
    labels = partitioned(child).labels
    page = network_html(child, child.graph, np.zeros((20, 2)), labels=labels, dark=dark)
    for k, name in enumerate(child.names):
        assert f"{mark(labels[k])} \\u00b7 {name}" in page
        assert colour(labels[k]) in page


def test_blend_lies_between_two_colours():
    """The ends of the blend are the colours themselves."""
    assert blend("#ff0000", "#0000ff", 1.0) == "#ff0000"
    assert blend("#ff0000", "#0000ff", 0.0) == "#0000ff"
    assert blend("#ff0000", "#0000ff", 0.5) == "#800080"


def traces_of(figure):
    """Return the traces of the tree: branches by colour, joints, leaves."""
    *branches, joints, leaves = figure.data
    return {branch.line.color: branch for branch in branches}, joints, leaves


def test_tree_has_every_variable_and_merge(child):
    """Leaves show the letter of their cluster, merges are at 1 - distance, and the cut is between two merges."""
    found = partitioned(child).partition
    figure, alt = dendrogram_figure(found, child.names)
    assert annotations_outside(figure) == []
    _, joints, leaves = traces_of(figure)
    np.testing.assert_allclose(sorted(1 - np.array(joints.x)), found.tree[:, 2], atol=1e-12)
    assert sorted(figure.layout.yaxis.ticktext) == sorted(child.names)
    letters = dict(zip(figure.layout.yaxis.ticktext, leaves.text, strict=True))
    assert letters == {name: mark(label) for name, label in zip(child.names, found.labels, strict=True)}
    cut = figure.layout.shapes[0].x0
    assert int((np.array(joints.x) > cut).sum()) == len(found.labels) - found.n_cut
    assert "20 variables, cut into 5 groups; after merging 3 clusters" in alt
    everything = next(text for text in joints.text if text.startswith("20 variables"))
    assert "12 more" in everything


def test_branches_left_of_the_cut_have_the_colour_of_their_cluster(child):
    """Branches to the right are grey, because they connect different groups."""
    found = partitioned(child).partition
    figure, _ = dendrogram_figure(found, child.names)
    branches, _, _ = traces_of(figure)
    cut = figure.layout.shapes[0].x0
    assert set(branches) == {GREY} | {colour(k) for k in range(found.n_clusters)}
    for hue, branch in branches.items():
        joints = np.array(branch.x[1::5])
        assert (joints < cut).all() if hue == GREY else (joints > cut).all()


def test_members_of_a_joint_are_those_below_it():
    """Every pair's joint is at its distance in the tree, also with ties."""
    rng = np.random.default_rng(4)
    distance = np.round(rng.uniform(0.2, 1.0, (30, 30)), 1)
    distance = np.triu(distance, 1) + np.triu(distance, 1).T
    names = [f"v{k:02}" for k in range(30)]
    figure, _ = dendrogram_figure(partition(distance), names)
    _, joints, _ = traces_of(figure)
    sizes = sorted(int(text.split(" ")[0]) for text in joints.text)
    assert sizes == sorted(partition(distance).tree[:, 3].astype(int).tolist())


def test_large_tree_shows_its_top_and_says_so():
    """The counts of collapsed branches add up to all variables."""
    data = sample(load_network("andes"), 300, seed=1)
    found = partitioned(learn("ppc", data, max_cond_size=1)).partition
    assert is_collapsed(found) == (data.p > MAX_LEAVES)
    figure, _ = dendrogram_figure(found, data.names)
    _, joints, _ = traces_of(figure)
    assert max(joints.x) < 10 ** figure.layout.xaxis.range[0] < 3 * max(joints.x)  # the axis begins at this part
    ticks = figure.layout.yaxis.ticktext
    assert len(ticks) == TOP_BRANCHES
    assert sum(int(tick.split(" ")[0]) if " variables" in tick else 1 for tick in ticks) == data.p


def test_names_in_the_tree_are_text():
    """Markup in a name affects neither labels nor hovers."""
    p = len(HOSTILE)
    found = partition(1 - np.eye(p) - 0.5 * (np.ones((p, p)) - np.eye(p)))
    figure, _ = dendrogram_figure(found, HOSTILE)
    _, joints, leaves = traces_of(figure)
    for text in (*joints.text, *leaves.hovertext, *figure.layout.yaxis.ticktext):
        assert "<script" not in text
        assert "<a " not in text


@pytest.mark.parametrize("p", [2, 3])
def test_tree_of_few_variables(p):
    """With one cluster and few merges, every view still works."""
    found = partition(1 - np.eye(p))
    figure, _ = dendrogram_figure(found, ["a", "b", "c"][:p])
    assert len(traces_of(figure)[2].y) == p
    assert "all variables form one cluster" in description(found, "categorical")


def test_rule_is_reported_with_its_numbers(child):
    """The text names the size limit, the number of groups, and the treatment of small ones."""
    sentence = description(partitioned(child).partition, "categorical")
    assert "at least 3 of 20 variables; 3 of 5 groups are" in sentence
    assert "which gives 3 clusters" in sentence
    assert "correlation" in description(partitioned(child).partition, "continuous")
    assert "of their indicators" in description(partitioned(child).partition, "mixed")


def test_table_counts_what_is_within_and_between(child):
    """The table shows members, mean distance, and edges of the given graph."""
    labels = partitioned(child).labels
    table = tables.cluster_table(child.names, partitioned(child).partition, child.graph)
    assert table["size"].tolist() == np.bincount(labels).tolist()
    distance = partitioned(child).partition.distance
    for cluster, row in enumerate(table.itertuples(index=False)):
        own = np.flatnonzero(labels == cluster)
        assert row[5] == ", ".join(child.names[k] for k in own)
        assert row[2] == pytest.approx(np.mean([distance[i, j] for i, j in combinations(own, 2)]))
    between = tables.edges_between(labels, child.graph)
    assert table["edges within"].sum() + between == child.graph.n_edges
    assert table["edges out"].sum() == 2 * between
    before = tables.cluster_table(child.names, partitioned(child).partition, child.trace.graph_at(0))
    assert before["edges within"].sum() > child.graph.n_edges


@pytest.mark.parametrize("key", ["ppc", "path", "phgs"])
def test_bars_add_up_to_the_calls(key):
    """The run has one bar for each phase, PC has two; the text has the same totals."""
    data = load_sample("child").dataset
    result = learn(key, data)
    pc = calls.calls_of_pc(learn("pc", data, **calls.settings_of_pc(result)))
    figure, alt = calls.calls_figure(key, partitioned(result).calls, pc)
    totals = {}
    for bar in figure.data:
        for row, value in zip(bar.y, bar.x, strict=True):
            totals[row] = totals.get(row, 0) + value
    own = sum(partitioned(result).calls.values())
    assert sorted(totals.values()) == sorted((own, sum(pc.values())))
    assert f"{own:,} calls" in alt
    assert pc[CallKind.NO_CONDITION] == 190
    looks = [(bar.marker.color, bar.marker.pattern.shape) for bar in figure.data if bar.showlegend]
    assert len(set(looks)) == len(looks) == len({shape for _, shape in looks})
    polish = partitioned(result).calls.get(CallKind.POLISH, 0)
    assert (polish > 0) == (key == "phgs")
    before = " before its polish" if polish else ""
    lead = f"{own - polish:,} calls{before}, PC-stable {sum(pc.values()):,}"
    assert lead in calls.compared(key, partitioned(result).calls, pc)


def test_figure_without_pc_has_one_bar(child):
    """PC has no bar until its calls are known."""
    figure, alt = calls.calls_figure("ppc", partitioned(child).calls, None)
    assert {row for bar in figure.data for row in bar.y} == {"pPC"}
    assert "PC-stable" not in alt


def test_more_calls_are_not_called_fewer(child):
    """The text says "more" or "as many" if clustering, as with few variables, needs no fewer calls than PC."""
    own = partitioned(child).calls
    assert (
        calls.compared("ppc", own, {CallKind.NO_CONDITION: 10, CallKind.CONDITIONS: 0}).count("more. Clusters pay off")
        == 1
    )
    assert calls.compared("ppc", own, {CallKind.NO_CONDITION: sum(own.values())}).endswith(": as many.")


def test_only_pc_with_the_same_tests_answers(child):
    """A run with another level or largest set, or a cancelled run, is not used for the comparison."""
    data = load_sample("child").dataset
    same = learn("pc", data, **calls.settings_of_pc(child))
    assert calls.same_question(child, same)
    assert not calls.same_question(child, learn("pc", data, alpha=0.01, max_cond_size=3))
    assert not calls.same_question(child, learn("pc", data, max_cond_size=2))
    assert not calls.same_question(child, dataclasses.replace(same, complete=False))
    assert not calls.same_question(child, child)


def test_curve_of_the_cut_has_its_first_maximum_at_the_cut():
    """The curve counts the large groups at each cut; the line marks the cut of the tree."""
    found = partition(np.where(np.kron(np.eye(3), np.ones((5, 5))) > 0, 0.2, 0.9) * (1 - np.eye(15)))
    figure, alt = cut_figure(found)
    x, y = figure.data[0].x, figure.data[0].y
    assert (x[np.argmax(y)], max(y)) == (found.n_cut, 3)
    assert figure.layout.shapes[0].x0 == found.n_cut
    assert "at most 3" in alt


@pytest.mark.parametrize("p", [4, 9, 15, 40])
@pytest.mark.parametrize("seed", range(4))
def test_curve_counts_the_large_groups_of_the_tree(p, seed):
    """Each point is the number of groups of at least `large` variables after so many are cut off."""
    upper = np.triu(np.random.default_rng(seed).uniform(0.2, 1.0, (p, p)), 1)
    found = partition(upper + upper.T)
    figure, _ = cut_figure(found)
    (curve,) = figure.data
    for cut, shown in zip(curve.x, curve.y, strict=True):
        assert shown == (np.bincount(labels_at(found.tree, cut)) >= found.large).sum()
    assert found.n_cut == curve.x[np.argmax(curve.y)]


@pytest.mark.parametrize("p", [3, 9])
def test_texts_of_the_tree_and_its_curve_have_a_singular_and_german(p):
    """One group is no "1 groups", and figures and their descriptions are in German."""
    upper = np.triu(np.random.default_rng(0).uniform(0.2, 1.0, (p, p)), 1)
    found = partition(upper + upper.T)
    (tree, of_tree), (curve, of_curve) = dendrogram_figure(found, [f"v{k}" for k in range(p)]), cut_figure(found)
    hovers = curve.data[0].hovertext
    assert "1 groups" not in " ".join([of_tree, of_curve, *hovers, *(note.text for note in tree.layout.annotations)])
    for text in (of_tree, of_curve, *hovers):
        assert translated(text, "de") != text
        assert "group" not in translated(text, "de")
