"""A function of a library that does not take a staged value is refused at the user's line, by its name.

Its own exception is none that plain Python would raise, so no handler of the program sees it. What the
message advises works: each program is tried with the call outside, and in an `ag.py_function` where it gives
a number.
"""

from __future__ import annotations

import collections
import colorsys
import hashlib
import json
import re
import statistics
import struct
import textwrap
import zlib
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

X = np.array([1.0, 2.0, 0.5])

# What is called, its name in messages, what it gets of an array, and whether it gives a float.
CALLS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any], bool]] = {
    "json.dumps": (json.dumps, lambda x: {"rate": [x[0]]}, False),
    "zlib.crc32": (zlib.crc32, lambda x: x, False),
    "struct.pack": (lambda value: struct.pack("d", value), lambda x: x[0], False),
    "statistics.mean": (statistics.mean, lambda x: [x[0], x[1]], True),
    "statistics.median": (statistics.median, lambda x: [x[0], x[1], x[2]], True),
    "colorsys.rgb_to_hsv": (lambda value: colorsys.rgb_to_hsv(*value), lambda x: [x[0], x[1], x[2]], False),
    "textwrap.fill": (textwrap.fill, lambda x: f"{x[0]} and", False),
    "re.match": (lambda value: re.match("1", value), lambda x: f"{x[0]}", False),
    "hashlib.openssl_md5": (hashlib.md5, lambda x: x, False),
}


def refusal_of(function: Any, *args: Any) -> ag.StagingError:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)(*args)
    return caught.value


@pytest.mark.parametrize("name", CALLS)
def test_the_user_reads_a_name_and_the_own_line(name: str) -> None:
    call, given, _ = CALLS[name]

    def program(x: Any) -> Any:
        try:
            return call(given(x))
        except Exception:
            return "caught"

    refusal = refusal_of(program, X)
    assert f"`{name}` is not converted" in refusal.message and refusal.location is not None
    assert refusal.location.file == __file__
    assert refusal.help is not None and "`@ag.py_function`" in refusal.help
    assert refusal.__context__ is None or refusal.__suppress_context__ or "staged" in str(refusal)
    for word in ("StagedOptional", "StagedString", "ArrayTensor", "fast_parts", "StagedChoice"):
        assert word not in str(refusal)


@pytest.mark.parametrize("name", CALLS)
def test_the_call_outside_works(name: str) -> None:
    call, given, _ = CALLS[name]
    program = ag.function(lambda x: x * 1.0)
    want, got = call(given(X)), call(given(program(X)))
    assert (str(got) == str(want)) if name == "re.match" else repr(got)[:20] == repr(want)[:20]


@pytest.mark.parametrize("name", [name for name, one in CALLS.items() if one[2]])
def test_the_call_in_a_py_function_works(name: str) -> None:
    call, given, _ = CALLS[name]

    @ag.py_function
    def called(x: Any) -> float:
        return float(call(given(x)))

    def program(x: Any) -> Any:
        return called(x) + 1.0

    assert ag.function(program)(X) == program(X)


def test_what_is_raised_for_plain_values_is_the_programs() -> None:
    def program(x: Any) -> Any:
        try:
            json.dumps(object())
        except TypeError as error:
            return str(error)[:14], x
        return "none", x

    assert ag.function(program)(2.0) == program(2.0)

    def missing(x: Any) -> Any:
        table = collections.OrderedDict(a=x)
        try:
            table.move_to_end("b")
        except KeyError:
            return x + 1.0
        return x

    assert ag.function(missing)(2.0) == missing(2.0)

    def unpacked(x: Any) -> Any:
        try:
            return struct.unpack("d", b"123"), x
        except struct.error as error:
            return str(error), x

    assert ag.function(unpacked)(2.0) == unpacked(2.0)
