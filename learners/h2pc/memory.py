"""What tests told, so that a question that comes again, around whichever of its two variables, is no test again."""

from __future__ import annotations

import numpy as np

from ..common.progress import Stopped, Tick
from ..independence import CITest
from ..independence.base import no_answers
from ..kernels.tests.questions import Answers, Questions

SLOTS = 1 << 20  # answers kept; a newer one takes the place of an older one in its slot
FEW = 128  # walks, for which looking up takes longer than testing


class Memory:
    """Answers to tests that were walks of their own, by a number made of the pair and its set.

    Parameters
    ----------
    p : int
        Variables.
    slots : int, optional
        Answers kept. The results of a search are the same for any number, its count of tests is not.
    """

    def __init__(self, p: int, slots: int = SLOTS) -> None:
        # A sum of random numbers: the same for x, y and y, x, and for other questions by chance of one in 2 ** 64.
        rng = np.random.default_rng(0)
        self._of_end, self._of_member = (rng.integers(1, 2**64, size=p, dtype=np.uint64) for _ in range(2))
        self._keys = np.zeros(slots, dtype=np.uint64)  # 0 where nothing is kept
        self._told = Answers(*(np.empty(slots, dtype=column.dtype) for column in no_answers(0)))

    def answer(self, ci_test: CITest, questions: Questions, *, phase: str, tick: Tick) -> Answers:
        """As ``ci_test.answer``; what is remembered, or asked twice at once, counts as no test.

        Raises
        ------
        Stopped
            If cancelled; its `partial` has the walks done so far.
        """
        single = np.diff(questions.begin_of) == 1
        if len(single) < FEW:
            return ci_test.answer(questions, phase=phase, tick=tick)
        keys = self._keys_of(questions)[questions.begin_of[:-1]]
        slots = (keys % np.uint64(len(self._keys))).astype(np.int64)
        known = single & (self._keys[slots] == keys)
        unknown = np.flatnonzero(single & ~known)
        _, first, twin = np.unique(keys[unknown], return_index=True, return_inverse=True)
        asked = ~single
        asked[unknown[first]] = True
        answers = no_answers(len(single))
        try:
            told = ci_test.answer(_some(questions, asked), phase=phase, tick=tick)
        except Stopped as stopped:
            answers.n_tests[asked] = stopped.partial.n_tests
            raise Stopped(answers) from None
        n_tests = np.zeros(len(single), dtype=np.int64)
        n_tests[asked] = told.n_tests
        for whole, part, kept in zip(answers, told, self._told, strict=True):
            whole[asked] = part
            whole[unknown] = whole[unknown[first]][twin]
            whole[known] = kept[slots[known]]
            kept[slots[unknown]] = whole[unknown]
        self._keys[slots[unknown]] = keys[unknown]
        return answers._replace(n_tests=n_tests)

    def _keys_of(self, questions: Questions) -> np.ndarray:
        """(m,) uint64: a number for each question."""
        before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(self._of_member[questions.members])])
        of_set = before[questions.ends[1:]] - before[questions.ends[:-1]]
        return self._of_end[questions.x] + self._of_end[questions.y] + of_set


def _some(questions: Questions, walks: np.ndarray) -> Questions:
    """The walks where the mask says so."""
    sizes = np.diff(questions.begin_of)
    chosen = np.repeat(walks, sizes)
    lengths = np.diff(questions.ends)
    return questions._replace(
        x=questions.x[chosen],
        y=questions.y[chosen],
        members=questions.members[np.repeat(chosen, lengths)],
        ends=np.concatenate([[0], np.cumsum(lengths[chosen])]),
        begin_of=np.concatenate([[0], np.cumsum(sizes[walks])]),
    )
