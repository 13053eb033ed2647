"""Every construct of Python: converted it does what CPython does; staged it does so too, or is refused.

See `construct_files` for the form of a file. `AG_BLESS=1` writes `docs/python.md`.
"""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from construct_files import FOLDER, GROUPS, Construct, Line, constructs, load, page
from programs import Outcome, assert_same, run
from test_docs import check
from test_programs import interpreted, twice

FOUND = constructs()
READABLE = [one for one in FOUND if one.is_readable]


def lines(*kinds: str) -> list[Line]:
    return [line for one in READABLE for line in one.of_kind(*kinds)]


def original(function: Any) -> Any:
    return function


@pytest.mark.parametrize("line", lines("plain"), ids=str)
def test_plain(line: Line) -> None:
    want = run(load(line.file), line.call, original)
    got = run(load(line.file), line.call, ag.to_graph)
    if want.error is not None:
        if type(got.error) is not type(want.error) and got.error is not None:
            raise got.error
        assert type(got.error) is type(want.error)
        assert str(got.error) == str(want.error)
        assert links(got.error) == links(want.error)
    compare(line, got, want)


def links(error: BaseException | None) -> list[str]:
    """The exceptions that stand behind one: its causes and contexts."""
    found = []
    while error is not None:
        found.append(
            f"{type(error).__name__}, cause {error.__cause__!r}, hidden {error.__suppress_context__}"
        )
        error = error.__context__
    return found


@pytest.mark.parametrize("line", lines("staged"), ids=str)
@pytest.mark.parametrize("way", [interpreted, twice])
def test_staged(line: Line, way: Any) -> None:
    want = run(load(line.file), line.call, original)
    got = run(load(line.file), line.call, way)
    if want.error is not None:
        assert isinstance(got.error, type(want.error)), got.error or f"no {want.error!r}: {got.result!r}"
        assert str(want.error) in str(got.error)
        if isinstance(got.error, ag.AutographError):
            assert_is_located(line, got.error)
    compare(line, got, want)


def compare(line: Line, got: Outcome, want: Outcome) -> None:
    assert got.printed == want.printed
    if want.error is None:
        if got.error is not None:
            raise got.error
        assert_is_judged(want.result)
        assert_same(got.result, want.result)
    before, after = ([[list(args), kwargs] for args, kwargs in one.arguments] for one in (want, got))
    assert_same(after, before)


def assert_is_judged(value: Any) -> None:
    """A result is made of what `assert_same` compares by value: a test must be able to fail."""
    if isinstance(value, (tuple, list)):
        for one in value:
            assert_is_judged(one)
    elif isinstance(value, dict):
        assert_is_judged(list(value.values()))
    else:
        kinds = (np.ndarray, np.generic, int, float, str, bytes, type(None))
        assert isinstance(value, kinds), f"{type(value).__name__} is not compared: return plain values"


@pytest.mark.parametrize("line", lines("refused"), ids=str)
def test_refused(line: Line) -> None:
    got = run(load(line.file), line.call, ag.function)
    if not isinstance(got.error, ag.AutographError):
        raise got.error or AssertionError(f"not refused: {got.result!r}")
    assert got.error.code == line.code, got.error
    assert_is_located(line, got.error)


def assert_is_located(line: Line, error: ag.AutographError) -> None:
    path = FOLDER / f"{line.file}.py"
    assert error.location is not None, error
    assert error.location.file == str(path), error
    assert 0 < error.location.line <= len(path.read_text().splitlines())


@pytest.mark.parametrize("line", lines("stays"), ids=str)
def test_stays(line: Line) -> None:
    with pytest.raises(ag.ConversionError) as caught:
        ag.to_graph(getattr(load(line.file), line.call))
    assert caught.value.code == line.code
    assert_is_located(line, caught.value)


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.name)
def test_every_construct_says_both_sides(one: Construct) -> None:
    assert one.group in GROUPS
    assert one.of_kind("plain"), "no line says what it does on plain values"
    assert one.of_kind("staged", "refused", "stays"), "no line says what a staged value does"


def test_table() -> None:
    check("python.md", page())
