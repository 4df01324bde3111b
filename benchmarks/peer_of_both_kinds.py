"""pybnesian on a table of mixed data; runs in the peers' Python, which need not have Edgewise.

An Arrow stream is read from standard input; CPU seconds and edges are written as one JSON text for each search.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import pyarrow as pa
import pybnesian


def main() -> None:
    """Run PC by mutual information of mixed data, then hill climbing by BIC of conditional linear Gaussians."""
    rows = pa.ipc.open_stream(sys.stdin.buffer).read_all().combine_chunks().to_batches()[0]
    searches: dict[str, Callable] = {
        "pc": lambda: pybnesian.PC().estimate(pybnesian.MutualInformation(rows), alpha=0.01, use_sepsets=True),
        "hc": lambda: pybnesian.hc(rows, bn_type=pybnesian.CLGNetworkType(), score="bic", operators=["arcs"]),
    }
    for name, search in searches.items():
        began = time.process_time()
        try:
            found = search()
        except ValueError as error:  # PC fails if a level of a stratum has too few rows for a variance
            print(json.dumps({"search": name, "error": str(error)}), flush=True)
            continue
        took = time.process_time() - began
        edges = [*found.arcs(), *(found.edges() if name == "pc" else [])]
        print(json.dumps({"search": name, "seconds": took, "edges": [sorted(edge) for edge in edges]}), flush=True)


if __name__ == "__main__":
    main()
