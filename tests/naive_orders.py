"""Search over orders: readable reference implementation of the kernels."""

from __future__ import annotations

TOLERANCE = 1e-6  # tolerance for rounding errors


def best(options):
    """Return (score, item) with the highest score; the first one among ties."""
    top = max(score for score, _ in options)
    return next(option for option in options if option[0] >= top - 1e-7)


def grown_and_shrunk(local, child, parents, candidates, most):
    """Return parents that neither growing nor shrinking improves, starting from `parents`."""
    parents, score = list(parents), local(child, parents)
    while True:
        while len(parents) < most:
            options = [(local(child, [*parents, i]), i) for i in candidates if i not in parents]
            if not options or best(options)[0] <= score + TOLERANCE:
                break
            score, i = best(options)
            parents.append(i)
        size = len(parents)
        while parents:
            top, i = best([(local(child, [k for k in parents if k != i]), i) for i in parents])
            if top <= score + TOLERANCE:
                break
            score = top
            parents.remove(i)
        if len(parents) == size:
            return parents


class Orders:
    """An order with the parents of each variable."""

    def __init__(self, local, order, most):
        self.local, self.most = local, most
        self.order, self.parents = [], {}
        for v in order:
            self.parents[v] = grown_and_shrunk(local, v, [], self.order, most)
            self.order.append(v)

    def score(self):
        """Return the score of the whole DAG."""
        return sum(self.local(v, parents) for v, parents in self.parents.items())

    def copy(self):
        """Return a copy that can be changed."""
        other = Orders(self.local, [], self.most)
        other.order, other.parents = list(self.order), {v: list(parents) for v, parents in self.parents.items()}
        return other

    def swap(self, at):
        """Exchange the variables at positions `at` and `at + 1`: one loses a candidate parent, the other gains one."""
        a, b = self.order[at : at + 2]
        self.order[at : at + 2] = [b, a]
        before = self.order[:at]
        if a in self.parents[b]:
            kept = [k for k in self.parents[b] if k != a]
            self.parents[b] = grown_and_shrunk(self.local, b, kept, before, self.most)
        more = [*self.parents[a], b]
        if len(more) <= self.most and self.local(a, more) > self.local(a, self.parents[a]) + TOLERANCE:
            self.parents[a] = grown_and_shrunk(self.local, a, more, [*before, b], self.most)

    def tried(self, v):
        """Return (gain, position, orders) of the best position of v; earlier and nearer positions win ties."""
        home, found = self.order.index(v), (0.0, self.order.index(v), self)
        for places in (range(home - 1, -1, -1), range(home + 1, len(self.order))):
            other = self.copy()
            for place in places:
                other.swap(min(place, other.order.index(v)))
                gain = other.score() - self.score()
                if gain > found[0] + TOLERANCE:
                    found = (gain, place, other.copy())
        return found


def search(local, order, turns, most):
    """Return (final orders, [(v, position before, position after, gain), ...]).

    `turns()` returns the order in which a round moves the variables.
    """
    now, made = Orders(local, order, most), []
    while True:
        before = len(made)
        for v in turns():
            home = now.order.index(v)
            gain, place, now = now.tried(v)
            if place != home:
                made.append((v, home, place, gain))
        if len(made) == before:
            return now, made
