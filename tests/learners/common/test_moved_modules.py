"""Tests of the earlier names of modules."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from learners.common.moved_modules import MOVED, find_moved_modules


@pytest.mark.parametrize("earlier", MOVED)
def test_both_names_give_the_same_module(earlier):
    assert import_module(earlier) is import_module(MOVED[earlier])


def test_an_import_by_an_earlier_name_gives_the_same_function():
    code = "from learners.lmm.lmm import lmm; import learners.families.lmm.lmm as now; print(lmm is now.lmm)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "True\n"


def test_a_module_that_never_existed_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"learners\.families\.lmm\.nothing"):
        import_module("learners.lmm.nothing")
    assert find_spec("learners.nothing") is None


def test_modules_are_found_once():
    before = len(sys.meta_path)
    find_moved_modules()
    assert len(sys.meta_path) == before
