"""Answers to all questions of a lesson file, by an independent program.

It parses the file by itself and shares no code with the lessons; for questions about a run it learns again.
"""

from __future__ import annotations

import re
from itertools import combinations, product

import numpy as np

from learners import cpdag, learn, load_network, load_sample, sample
from learners.networks.network import GaussianNetwork
from tests import naive, naive_effects, naive_pag

YES_NO = {"en": ("yes", "no"), "de": ("ja", "nein")}
EITHER = {"en": "either way", "de": "beides kommt vor"}
NOTHING = {"en": "none, they are independent given nothing", "de": "keine, sie sind ohne Bedingung unabhängig"}


class Graph:
    """Names, adjacency matrix and weights of a graph block."""

    def __init__(self, text):
        self.names, arrows, weights, self.hidden = [], [], {}, []
        self.rows, self.levels = {}, {}
        for line in text.splitlines():
            if line.startswith("P("):
                self.add_probabilities(line)
                continue
            if line.startswith("hidden:"):
                self.hidden = [name.strip() for name in line.removeprefix("hidden:").split(",")]
                continue
            path, _, weight = line.partition(" : ")
            words = re.split(r"\s*(->|<-|--)\s*", path.strip())
            for name in words[::2]:
                if name not in self.names:
                    self.names.append(name)
            for a, mark, b in zip(words[::2], words[1::2], words[2::2], strict=False):
                arrows += {"->": [(a, b)], "<-": [(b, a)], "--": [(a, b), (b, a)]}[mark]
                weights[arrows[-1]] = float(weight or 1)
        p = len(self.names)
        self.amat, self.weights = np.zeros((p, p), dtype=bool), np.zeros((p, p))
        for a, b in arrows:
            self.amat[self.at(a), self.at(b)] = True
            self.weights[self.at(a), self.at(b)] = weights.get((a, b), 0.0)

    def add_probabilities(self, line):
        """Add one row of a table."""
        head, _, row = line.removeprefix("P(").partition("): ")
        name, _, given = head.partition(" | ")
        levels = dict(part.strip().rsplit(" ", 1) for part in row.split(","))
        self.levels[name] = list(levels)
        self.rows[name, frozenset(filter(None, given.split(", ")))] = {a: float(b) for a, b in levels.items()}

    def cases(self, done):
        """Yield each case of all variables with its probability, after some of them were set."""
        for values in product(*(self.levels[name] for name in self.names)):
            case, chance = dict(zip(self.names, values, strict=True)), 1.0
            for j, name in enumerate(self.names):
                parents = [f"{self.names[k]} = {case[self.names[k]]}" for k in np.flatnonzero(self.amat[:, j])]
                known = self.rows[name, frozenset(parents)] if name not in done else {done[name]: 1.0}
                chance *= known.get(case[name], 0.0)
            yield case, chance

    def at(self, name):
        """Return the position of a name."""
        return self.names.index(name)

    def pair(self, about):
        """Return the two variables of ``a, b | c`` and the conditioning set."""
        ends, _, given = about.partition("|")
        x, y = (self.at(name.strip()) for name in ends.split(","))
        return x, y, tuple(self.at(name.strip()) for name in given.split(",") if name.strip())


def answers(text, language="en"):
    """Yield line, text, a flag for questions about a run, and the answer as the page words it, for each question."""
    graph, run = None, None
    for block in re.finditer(r"^```(\w+)\n(.*?)\n```$", text, re.M | re.S):
        name, body = block.groups()
        if name == "graph":
            graph = Graph(body)
        elif name == "run":
            run = Run(body, graph)
        elif name == "question":
            *words, last = [line for line in body.splitlines() if not line.startswith("because:")]
            check, _, about = last.partition(":")
            about = about.strip()
            solve, subject = (OF_GRAPHS[check], graph) if check in OF_GRAPHS else (OF_RUNS[check], run)
            found = solve(subject, about, language)
            found = YES_NO[language][not found] if isinstance(found, bool | np.bool_) else found
            yield text[: block.start()].count("\n") + 1, " ".join(words), check in OF_RUNS, found


def probability(graph, about, _language):
    """Return the probability of a value given others and interventions, in percent, by counting all cases."""
    event, _, given = about.partition("|")
    done = dict(re.findall(r"(\w+) = (\w+)", " ".join(re.findall(r"do\((.*?)\)", given))))
    seen = dict(re.findall(r"(\w+) = (\w+)", re.sub(r"do\(.*?\)", "", given)))
    wanted = dict(re.findall(r"(\w+) = (\w+)", event))
    of_all = [(case, chance) for case, chance in graph.cases(done) if seen.items() <= case.items()]
    hits = sum(chance for case, chance in of_all if wanted.items() <= case.items())
    return f"{100 * hits / sum(chance for _, chance in of_all):.3g} %"


def independent(graph, about, _language):
    """Return True if the pair is d-separated."""
    return naive.d_separated(graph.amat, *graph.pair(about))


def separator(graph, about, _language):
    """Return the only variable that separates a pair."""
    x, y, _ = graph.pair(about)
    others = [k for k in range(len(graph.names)) if k not in (x, y)]
    (found,) = [k for k in others if naive.d_separated(graph.amat, x, y, (k,))]
    return graph.names[found]


def collider(graph, about, _language):
    """Return True if both arrows of a triple meet in its middle."""
    i, k, j = (graph.at(name.strip()) for name in about.split(","))
    return bool(graph.amat[i, k] and graph.amat[j, k])


def equivalent(graph, about, _language):
    """Return True if another DAG is in the class, which is enumerated."""
    other = Graph(about.replace(";", "\n"))
    order = [other.at(name) for name in graph.names]
    amat = other.amat[np.ix_(order, order)]
    return any((amat == member).all() for member in naive.dags_of_class(graph.amat))


def members(graph, _about, _language):
    """Return the number of DAGs of the class."""
    return str(len(naive.dags_of_class(graph.amat)))


def arrow(graph, about, language):
    """Return the direction that all DAGs of the class give an edge."""
    x, y, _ = graph.pair(about)
    ways = {bool(member[x, y]) for member in naive.dags_of_class(graph.amat)}
    a, b = graph.names[x], graph.names[y]
    return EITHER[language] if len(ways) == 2 else f"{a} → {b}" if ways == {True} else f"{b} → {a}"


def adjusts(graph, about, _language):
    """Return True if regression on a set finds the total effect, for random linear equations."""
    x, y, given = graph.pair(about)
    drawn = naive_effects.Equations(graph.amat, np.random.default_rng(0))
    return abs(drawn.slope(x, y, sorted(given)) - drawn.total[x, y]) < 1e-9


def causes(graph, about, _language):
    """Return True if some power of the adjacency matrix has a positive entry (x, y), so a directed path exists."""
    x, y, _ = graph.pair(about)
    amat = graph.amat.astype(int)
    return bool(sum(np.linalg.matrix_power(amat, k) for k in range(1, len(amat)))[x, y])


def ends(graph, about, language):
    """Return the edge shared by all MAGs that have the separations of the observed variables."""
    seen = [k for k, name in enumerate(graph.names) if name not in graph.hidden]
    found, joined = [], []
    for i, j in combinations(range(len(seen)), 2):
        rest = [k for k in seen if k not in (seen[i], seen[j])]
        sets = [given for size in range(len(rest) + 1) for given in combinations(rest, size)]
        apart = [naive.d_separated(graph.amat, seen[i], seen[j], given) for given in sets]
        found += apart
        joined += [] if any(apart) else [(i, j)]
    same = [mag for mag, separations in naive_pag.mags_of(len(seen), joined) if separations == tuple(found)]
    names = [graph.names[k] for k in seen]
    x, y = (names.index(name.strip()) for name in about.split(","))
    return edge_text(naive_pag.shared_marks(same).marks, x, y, names, language)


def edge_text(marks, x, y, names, language):
    """Return an edge as an answer words it; marks are 0 none, 1 circle, 2 arrowhead, 3 tail at the second node."""
    left, right = {1: "o", 2: "←", 3: ""}, {1: "o", 2: "→", 3: ""}
    at_x, at_y = marks[y, x], marks[x, y]
    if not at_x:
        return {"en": "no edge", "de": "keine Kante"}[language]
    sign = "↔" if at_x == at_y == 2 else "o–o" if at_x == at_y == 1 else left[at_x] + right[at_y]
    return f"{names[x]} {sign} {names[y]}"


class Sets:
    """All right sets of a question that asks for one; names of nodes, or pairs of names."""

    def __init__(self, sets):
        self.sets = {frozenset(one) for one in sets}


def separating(graph, about, _language):
    """Return all sets that d-separate a pair."""
    x, y, _ = graph.pair(about)
    free = [k for k, name in enumerate(graph.names) if k not in (x, y) and name not in graph.hidden]
    right = [one for one in naive_effects.subsets(free) if naive.d_separated(graph.amat, x, y, tuple(one))]
    return Sets([graph.names[k] for k in one] for one in right)


def adjusting(graph, about, _language):
    """Return all sets without descendants of the cause that give the total effect, for random linear equations."""
    x, y, _ = graph.pair(about)
    drawn, below = naive_effects.Equations(graph.amat, np.random.default_rng(0)), naive.reachable(graph.amat, x)
    free = [k for k, name in enumerate(graph.names) if k not in (x, y) and k not in below and name not in graph.hidden]
    right = [
        one for one in naive_effects.subsets(free) if abs(drawn.slope(x, y, sorted(one)) - drawn.total[x, y]) < 1e-9
    ]
    return Sets([graph.names[k] for k in one] for one in right)


def leaves(graph, about, _language):
    """Return the pairs that PC with perfect answers removes at a level, of those that no lower level removes."""
    p = len(graph.names)
    left = {frozenset(pair) for pair in combinations(range(p), 2)}
    for level in range(int(about) + 1):
        gone = set()
        for pair in left:
            x, y = sorted(pair)
            for a in (x, y):
                near = [k for k in range(p) if frozenset((a, k)) in left and k not in pair]
                if any(naive.d_separated(graph.amat, x, y, given) for given in combinations(near, level)):
                    gone.add(pair)
        left -= gone
    return Sets([[frozenset(graph.names[k] for k in pair) for pair in gone]])


def class_of(graph, _about, _language):
    """Return the directions that all DAGs of the class share, as text for each pair of adjacent nodes."""
    members, names = naive.dags_of_class(graph.amat), graph.names
    drawn = set()
    for a, b in np.argwhere(graph.amat).tolist():
        signs = {"→" if member[a, b] else "←" for member in members}
        drawn.add((names[a], signs.pop() if len(signs) == 1 else "—", names[b]))
    return drawn


def simulated(graph, x, y, given=()):
    """Return the slope of x in the regression of y on x and a set, by least squares on simulated rows."""
    rng, p = np.random.default_rng(1), len(graph.names)
    rows = np.zeros((400_000, p))
    done = set()
    while len(done) < p:
        for j in range(p):
            if j not in done and set(np.flatnonzero(graph.amat[:, j])) <= done:
                rows[:, j] = rows @ graph.weights[:, j] + rng.normal(size=len(rows))
                done.add(j)
    return np.linalg.lstsq(rows[:, [x, *given]], rows[:, y], rcond=None)[0][0]


def slope(graph, about, _language):
    """Return the slope of a regression."""
    return float(simulated(graph, *graph.pair(about)))


def parameters(graph, _about, _language):
    """Return the number of free probabilities, counted row by row."""
    return float(sum(len(row) - 1 for row in graph.rows.values()))


def effect(graph, about, _language):
    """Return the total effect: the slope after the arrows into the cause are removed."""
    x, y, _ = graph.pair(about)
    amat, weights = graph.amat, graph.weights
    graph.amat, graph.weights = amat.copy(), weights.copy()
    graph.amat[:, x], graph.weights[:, x] = False, 0.0
    found = float(simulated(graph, x, y))
    graph.amat, graph.weights = amat, weights
    return found


OF_GRAPHS = {
    "separating set": separating,
    "adjustment set": adjusting,
    "leaves": leaves,
    "orient": class_of,
    "draw": class_of,
    "slope": slope,
    "effect": effect,
    "parameters": parameters,
    "probability": probability,
    "independent": independent,
    "dependent": lambda graph, about, language: not independent(graph, about, language),
    "separator": separator,
    "collider": collider,
    "equivalent": equivalent,
    "members": members,
    "arrow": arrow,
    "adjusts": adjusts,
    "causes": causes,
    "ends": ends,
}


class Run:
    """Learner, data and settings of a run block."""

    def __init__(self, text, graph):
        fields = dict(re.findall(r"^(\w+): *(.*)$", text, re.M))
        self.learner, self.data = fields.pop("learner"), fields.pop("data")
        self.graph = graph
        for of_the_picture in ("shows", "slider", "repeats"):
            fields.pop(of_the_picture, None)
        self.settings = {name: [self._value(one.strip()) for one in text.split(",")] for name, text in fields.items()}

    @staticmethod
    def _value(text):
        for kind in (int, float, str):
            try:
                return kind(text)
            except ValueError:
                continue
        raise AssertionError(text)

    def varied(self):
        """Return the name and the values of the setting with several values."""
        return next((name, values) for name, values in self.settings.items() if len(values) > 1)

    def learn(self, k=0):
        """Return names, learned graph, its sepsets, and the true CPDAG."""
        chosen = {name: values[k if len(values) > 1 else 0] for name, values in self.settings.items()}
        rows, seed, strength = chosen.pop("rows", None), chosen.pop("seed", 0), chosen.pop("strength", 1)
        if self.data == "graph":
            p = len(self.graph.names)
            network = GaussianNetwork(tuple(self.graph.names), strength * self.graph.weights, np.ones(p), np.zeros(p))
        elif rows is None:
            loaded = load_sample(self.data)
            return learn(self.learner, loaded.dataset, **chosen), cpdag(loaded.truth)
        else:
            network = load_network(self.data)
        data = sample(network, rows, seed)
        if self.data == "graph" and self.graph.hidden:
            data = data.select([j for j, name in enumerate(data.names) if name not in self.graph.hidden])
        return learn(self.learner, data, **chosen), cpdag(network.dag)


def _ends(result, about):
    return [result.names.index(name.strip()) for name in about.split(",")]


def adjacent(run, about, _language):
    """Return True if the learned graph has an edge between two variables."""
    result, _ = run.learn()
    x, y = _ends(result, about)
    return naive.adjacent(result.graph.amat, x, y)


def drawn(run, about, language):
    """Return the edge of the learned graph between two variables."""
    result, _ = run.learn()
    amat = result.graph.amat
    marks = getattr(result.graph, "marks", np.where(amat & amat.T, 9, np.where(amat, 2, np.where(amat.T, 3, 0))))
    return edge_text(marks, *_ends(result, about), result.names, language)


def sepset(run, about, language):
    """Return the variable with which the run separated a pair."""
    result, _ = run.learn()
    found = result.sepsets.between(*_ends(result, about))
    return ", ".join(result.names[k] for k in found) or NOTHING[language]


def _digits(value):
    return f"{int(value):,}" if str(value).isdecimal() else str(value)


def _best(run, measure):
    name, values = run.varied()
    counts = [measure(*run.learn(k)) for k in range(len(values))]
    return f"{name} = {_digits(values[int(np.argmin(counts))])}"


def wrong_pairs(result, truth):
    """Return the number of pairs whose edge or mark differs."""
    learned, true = result.graph.amat, truth.amat
    pairs = [(i, j) for i in range(len(true)) for j in range(i)]
    return sum((learned[i, j], learned[j, i]) != (true[i, j], true[j, i]) for i, j in pairs)


def first(run, about, _language):
    """Return the first value at which a pair is adjacent, or is not."""
    word, _, pair = about.partition(" ")
    name, values = run.varied()
    for k, value in enumerate(values):
        result, _ = run.learn(k)
        if naive.adjacent(result.graph.amat, *_ends(result, pair)) == (word == "adjacent"):
            return f"{name} = {_digits(value)}"
    raise AssertionError(about)


def order(run, about, _language):
    """Return pairs by the sizes of the sets that separated them."""
    result, _ = run.learn()
    pairs = [_ends(result, part) for part in about.split(";")]
    sizes = [len(result.sepsets.between(*pair)) for pair in pairs]
    assert len(set(sizes)) == len(sizes)
    return [" — ".join(result.names[k] for k in pairs[at]) for at in np.argsort(sizes)]


OF_RUNS = {
    "first": first,
    "order": order,
    "adjacent": adjacent,
    "drawn": drawn,
    "sepset": sepset,
    "fewest wrong pairs": lambda run, _about, _language: _best(run, wrong_pairs),
    "most edges": lambda run, _about, _language: _best(run, lambda result, _: -np.triu(result.graph.skeleton).sum()),
}
