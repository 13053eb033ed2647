"""A remedy works: a program that is refused, and the same one after what the help says has been done."""

from __future__ import annotations

import copy

import autograph as ag
import pytest
from autograph import _core
from programs import assert_same
from remedies import Pair, pairs


def _id(pair: Pair) -> str:
    return pair.refused.__qualname__.partition(".")[0]


@pytest.mark.parametrize("pair", pairs(), ids=_id)
def test_the_program_is_refused_with_the_help(pair: Pair) -> None:
    with pytest.raises((ag.AutographError, _core.GraphError)) as caught:
        ag.function(pair.refused)(*copy.deepcopy(pair.arguments))
    assert caught.value.help is not None and pair.help in f"{caught.value.message}; {caught.value.help}"
    assert caught.value.location is not None


@pytest.mark.parametrize("pair", pairs(), ids=_id)
def test_what_the_help_says_is_staged(pair: Pair) -> None:
    want = pair.fixed(*copy.deepcopy(pair.arguments))
    staged = ag.function(pair.fixed)
    assert_same(staged(*copy.deepcopy(pair.arguments)), want)
    assert_same(staged(*copy.deepcopy(pair.arguments)), want)
