"""Settings of the learners that search within blankets."""

from dataclasses import replace

from ..settings.shared import MAX_COND_SIZE

BLANKET_COND_SIZE = replace(
    MAX_COND_SIZE,
    help="Tests of two variables within their blankets condition on at most this many others; tests of blankets have "
    "no such limit.",
)
