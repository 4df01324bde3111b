"""Serialize tables and runs of a session as plain documents for the store, and read them back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from learners.common.errors import DataError
from learners.data.dataset import Dataset
from learners.data.reading.table import Table
from learners.data.resampling import held_out
from learners.graphs.knowledge import Knowledge
from learners.recipes.recipe import Recipe
from learners.registry import LEARNERS
from learners.store.packing import unpack
from pages.session import state
from pages.session.source import Source
from viz.snippet import Origin

OF_SOURCE = ("title", "plan", "truth", "truth_names", "steps", "settled", "alone")
Put = Callable[[Table | Dataset], str]  # stores a part and returns its name
Get = Callable[[str], bytes]


@dataclass(frozen=True)
class Order:
    """A requested run.

    Attributes
    ----------
    aside : Dataset or None
        Held-out rows.
    recipe : Recipe or None
        The recipe that the run follows.
    ticket : str
        Identifier of the run in the store.
    """

    key: str
    dataset: Dataset
    knowledge: Knowledge | None
    params: Mapping[str, Any]
    source: Source
    aside: Dataset | None = None
    seed: int = 0
    recipe: Recipe | None = None
    ticket: str = ""


def packed_source_of(source: Source, put: Put) -> dict[str, Any]:
    """Return the document of a table in use; `put` stores its cells as a part and returns the name of the part."""
    origin = source.origin and (source.origin.text, source.origin.remark, dict(source.origin.options))
    about = {name: getattr(source, name) for name in OF_SOURCE}
    return {**about, "origin": origin, "table": put(source.table), "base": source.base and put(source.base)}


def packed_order_of(order: Order, put: Put) -> dict[str, Any]:
    """Return the document of a requested run; its data are the source's, some of its rows, or a separate part."""
    whole, aside = order.source.dataset, order.aside
    share = 0.0 if aside is None else aside.n_rows / (aside.n_rows + order.dataset.n_rows)
    own = aside is None and whole is not order.dataset
    return {
        "key": order.key,
        "params": dict(order.params),
        "knowledge": order.knowledge,
        "seed": order.seed,
        "share": share,
        "source": packed_source_of(order.source, put),
        "dataset": put(order.dataset) if own else None,
        "recipe": order.recipe,
    }


def parts_of(document: Mapping[str, Any]) -> set[str]:
    """Return the names of the parts that the document of a source or an order refers to."""
    source = document.get("source") or document
    named = (document.get("dataset"), source.get("table"), source.get("base"))
    return {name for name in named if name}


@dataclass
class Reader:
    """Reader of documents, which builds shared tables once.

    Parameters
    ----------
    get : callable
        Returns the bytes of a part by its name.
    """

    get: Get
    _made: dict[Any, Any] = field(default_factory=dict)

    def source(self, stored: Mapping[str, Any]) -> Source:
        """Return the table in use that `packed_source_of` serialized.

        Raises
        ------
        DataError
            If the document is malformed.
        """
        try:
            table = self._part(stored["table"])
            origin = stored["origin"] and Origin(*stored["origin"])
            about = {name: stored[name] for name in OF_SOURCE}
            base = stored["base"] and self._part(stored["base"])
            new = Source(table=table, origin=origin, base=base, **about)
            key = ("plan", stored["table"], stored["plan"], stored["settled"])
            other = self._once(key, lambda: state.with_plan(new, new.plan))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise DataError("the stored table is corrupt; open its file again on the Data page") from error
        return replace(new, findings=other.findings, prepared=other.prepared, problem=other.problem)

    def order(self, stored: Mapping[str, Any], ticket: str) -> Order:
        """Return the requested run that `packed_order_of` serialized.

        Raises
        ------
        DataError
            If the document is malformed.
        """
        try:
            return self._order(stored, ticket)
        except (KeyError, TypeError, AttributeError) as error:
            raise DataError("the stored run is corrupt; repeat it") from error

    def _order(self, stored: Mapping[str, Any], ticket: str) -> Order:
        source = self.source(stored["source"])
        dataset, aside = self._part(stored["dataset"]) if stored["dataset"] else source.dataset, None
        if dataset is None:
            raise DataError(source.problem)
        if stored["share"]:
            key = ("held out", id(dataset), stored["share"])
            dataset, aside = self._once(key, lambda: held_out(dataset, stored["share"], seed=0))
        about = {name: stored[name] for name in ("key", "params", "knowledge", "seed", "recipe")}
        about["params"] = LEARNERS[about["key"]].with_present_names(about["params"])
        return Order(dataset=dataset, source=source, aside=aside, ticket=ticket, **about)

    def _part(self, name: str) -> Any:
        return self._once(name, lambda: unpack(self.get(name)))

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]
