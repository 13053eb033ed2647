"""A string with staged values in it: what needs its characters is refused in the words of the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

USES: dict[str, Callable[[Any, Any], Any]] = {
    "strip": lambda s, x: s.strip("0"),
    "split": lambda s, x: s.split("."),
    "upper": lambda s, x: s.upper(),
    "encode": lambda s, x: s.encode(),
    "startswith": lambda s, x: s.startswith("4"),
    "replace": lambda s, x: s.replace("4", "5"),
    "join of it": lambda s, x: s.join(["a", "b"]),
    "join of a list": lambda s, x: "-".join([s, "b"]),
    "join of a tuple": lambda s, x: "-".join(("a", s)),
    "join of a generator": lambda s, x: "-".join(t for t in (s, "b")),
    "join of texts": lambda s, x: "".join([str(v) for v in (x, x)]),
    "join of a map": lambda s, x: "".join(map(str, (x, x))),
    "argument of replace": lambda s, x: "a4".replace("4", s),
    "format": lambda s, x: f"<{s}>",
    "format map": lambda s, x: f"<{s}>",
    "percent": lambda s, x: "<%s>" % s,  # noqa: UP031
    "percent of it": lambda s, x: s % 3,
    "times": lambda s, x: s * 2,
    "index": lambda s, x: s[0],
    "slice": lambda s, x: s[1:],
    "contains": lambda s, x: "4" in s,
    "contained": lambda s, x: s in "4.0",
    "contained in a list": lambda s, x: s in ["4.0"],
    "equal": lambda s, x: s == "4.0",
    "unequal": lambda s, x: s != "4.0",
    "less": lambda s, x: s < "5",
    "truth": lambda s, x: 1 if s else 2,
    "not": lambda s, x: not s,
    "and": lambda s, x: s and 1,
    "len": lambda s, x: len(s),
    "int": lambda s, x: int(s),
    "float": lambda s, x: float(s),
    "bytes": lambda s, x: bytes(s, "utf8"),
    "ord": lambda s, x: ord(s),
    "list": lambda s, x: list(s),
    "tuple": lambda s, x: tuple(s),
    "set": lambda s, x: set(s),
    "iteration": lambda s, x: [c for c in s],
    "sorted": lambda s, x: sorted(s),
    "sorted list": lambda s, x: sorted([s, "a"]),
    "max": lambda s, x: max(s, "a"),
    "reversed": lambda s, x: list(reversed(s)),
    "enumerate": lambda s, x: list(enumerate(s)),
    "zip": lambda s, x: list(zip(s, s)),
    "unpacking": lambda s, x: [*s],
    "dict key": lambda s, x: {s: 1},
    "dict look-up": lambda s, x: {"4.0": 1}[s],
    "set element": lambda s, x: {s},
    "array": lambda s, x: np.array([s]),
    "to float": lambda s, x: np.float64(s),
    "sum": lambda s, x: sum([s]),
    "match": lambda s, x: re.match("4", s),
    "attribute": lambda s, x: getattr(s, "lower")(),
    "spec": lambda s, x: f"{x:{s}}",
    "as an index": lambda s, x: np.zeros(3)[s],
    "added to a number": lambda s, x: s + 1,
    "returned": lambda s, x: s,
    "in a condition": lambda s, x: s if x > 1 else "b",
    "bin": lambda s, x: bin(int(x)).count("1"),
    "hex": lambda s, x: hex(int(x)).upper(),
}

MAKERS: dict[str, Callable[[Any], Any]] = {"str": lambda x: str(x), "f-string": lambda x: f"<{x:.2f}>"}

INTERNAL = re.compile(r"Staged\w+|\bTensor\b|autograph\.(staging|backends)|NoneType")


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("maker", MAKERS)
def test_a_use_is_refused_in_the_words_of_the_program(maker: str, use: str) -> None:
    make, take = MAKERS[maker], USES[use]

    def f(x):
        s = make(x)
        return take(s, x)

    with pytest.raises(ag.StagingError) as caught:
        ag.function(f)(np.float64(4.0))
    assert caught.value.location is not None and caught.value.location.file == __file__
    assert not INTERNAL.search(caught.value.message + (caught.value.help or "")), caught.value.message


def test_what_strings_do_not_have_is_as_in_python() -> None:
    def f(x):
        return str(x).nothing

    with pytest.raises(AttributeError, match=r"^'str' object has no attribute 'nothing'"):
        ag.function(f)(np.float64(4.0))


def test_what_prints_it_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        s = str(x) + "!"
        print(s, "and " + f"{s}", [s])
        if not isinstance(s, str) or type(s) is not str:
            raise TypeError
        if x > 3:
            raise ValueError(s)

    for function in (ag.function(f), f):
        with pytest.raises(ValueError, match=r"^4.0!"):
            function(np.float64(4.0))
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
