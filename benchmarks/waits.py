"""Waiting times besides runs: starts, compilation, and a step of the slider."""

from __future__ import annotations

from .measurement import Contender, Measurement

WAITS = (
    Measurement(
        name="process_start",
        what="a new Python process to the first PC result (alarm, 5 000 rows), kernels compiled before or not",
        ours=Contender("warm", "benchmarks.start:process", params={"cold": False}),
        others=(Contender("cold", "benchmarks.start:process", params={"cold": True}),),
    ),
    Measurement(
        name="app_start",
        what="the command that starts the app to the first graph in the browser, kernels compiled before or not",
        ours=Contender("warm", "benchmarks.start:app", params={"cold": False}),
        others=(Contender("cold", "benchmarks.start:app", params={"cold": True}),),
        time_out=180.0,
    ),
    Measurement(
        name="all_kernels",
        what="the command that compiles what every learner needs, on all cores, kernels compiled before or not",
        ours=Contender("warm", "benchmarks.start:kernels", params={"cold": False}),
        others=(Contender("cold", "benchmarks.start:kernels", params={"cold": True}),),
        time_out=900.0,
    ),
    Measurement(
        name="scrubber_step",
        what="a step of the scrubber until the next frame, 95th percentile of a drag from end to end, or of jumps",
        ours=Contender("37 nodes, 666 edges", "benchmarks.scrubber:step", params={"graph": "alarm"}),
        others=(
            Contender("100 nodes, 4 950 edges", "benchmarks.scrubber:step", params={"graph": "dense"}),
            Contender("37 nodes, LMM with dots", "benchmarks.scrubber:step", params={"graph": "lmm"}),
            *(
                Contender(f"{what}{way}", "benchmarks.scrubber:step", params={"graph": graph, "jumps": bool(way)})
                for what, graph in (
                    ("gauss, 100 nodes", "gauss"),
                    ("pigs, 441 nodes", "pigs"),
                    ("link, 724 nodes", "link"),
                )
                for way in ("", ", jumps")
            ),
            *(
                Contender(
                    f"what if, {p} nodes{way}",
                    "benchmarks.scrubber:step",
                    params={"graph": f"what_if_{p}", "jumps": bool(way)},
                )
                for p in (37, 100, 300)
                for way in ("", ", jumps")
            ),
        ),
    ),
)
