"""Strings with staged values in them: what passes one on, and what needs its characters and is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
import pytest

USES: dict[str, Callable[[Any, Any], Any]] = {
    "split": lambda s, x: s.split("."),
    "encode": lambda s, x: s.encode(),
    "startswith": lambda s, x: s.startswith("4"),
    "join of it": lambda s, x: s.join(["a", "b"]),
    "percent of it": lambda s, x: s % 3,
    "index": lambda s, x: s[0],
    "is": lambda s, x: s is "5",  # noqa: F632
    "contains": lambda s, x: "4" in s,
    "contained": lambda s, x: s in "4.0",
    "contained in a list": lambda s, x: s in ["4.0"],
    "equal": lambda s, x: s == "4.0",
    "unequal": lambda s, x: s != "4.0",
    "less": lambda s, x: s < "5",
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
    "spec": lambda s, x: f"{x:{s}}",
    "as an index": lambda s, x: np.zeros(3)[s],
    "character": lambda s, x: f"{int(x):c}",
    "number of a float": lambda s, x: "%d" % x,  # noqa: UP031
    "width": lambda s, x: "%*d" % (int(x), 3),  # noqa: UP031
}

TAKEN: dict[str, Callable[[Any, Any], Any]] = {
    "strip": lambda s, x: s.strip("0"),
    "upper": lambda s, x: s.upper(),
    "replace": lambda s, x: s.replace("4", "5"),
    "join of a list": lambda s, x: "-".join([s, "b"]),
    "join of a tuple": lambda s, x: "-".join(("a", s)),
    "join of a generator": lambda s, x: "-".join(t for t in (s, "b")),
    "join of texts": lambda s, x: "".join([str(v) for v in (x, x)]),
    "join of a map": lambda s, x: "".join(map(str, (x, x))),
    "format": lambda s, x: f"<{s}>",
    "format map": lambda s, x: f"<{s}>",
    "percent": lambda s, x: "<%s>" % s,  # noqa: UP031
    "times": lambda s, x: s * 2,
    "slice": lambda s, x: s[1:],
    "attribute": lambda s, x: getattr(s, "lower")(),
    "returned": lambda s, x: s,
    "in a condition": lambda s, x: s if x > 1 else "b",
    "hex": lambda s, x: hex(int(x)).upper(),
    "added to a number": lambda s, x: s + 1,
    "truth": lambda s, x: 1 if s else 2,
    "not": lambda s, x: not s,
    "and": lambda s, x: s and 1,
    "count": lambda s, x: bin(int(x)).count("1"),
    "argument of replace": lambda s, x: "a4".replace("4", s),
    "times an int": lambda s, x: ("-" * int(x), int(x) * "ab", s * int(x), 2 * s),
    "padded to an int": lambda s, x: (s.ljust(int(x) + 9, "."), "ab".rjust(int(x)), s.zfill(int(x))),
    "shown objects": lambda s, x: (f"{Shown(x)}", f"{Shown(x)!r:>12}", str(Shown(x)), "%s" % Shown(x)),  # noqa: UP031
    "formatted objects": lambda s, x: f"{Formatted(x):abc} {Formatted(x)}",
    "fields": lambda s, x: (f"{Fields(x, s)}", str(Fields(x, s))),
    "a written object": lambda s, x: written(Fields(x, s)),
    "a wrong method": lambda s, x: str(Wrong(x)),
    "chosen text of objects": lambda s, x: {"pos": 1, "neg": 2}[str(Sign(x))],
    "nested": lambda s, x: f"{s!r:>12}|{f'<{s}>'}",
    "str of it": lambda s, x: (str(s), repr(s), ascii(s), format(s, ">9")),
    "str.format": lambda s, x: "{0}-{0!r}-{b:.3f}".format(s, b=x),  # noqa: UP032
    "percent of several": lambda s, x: "%s %5.1f %r %e %%" % (s, x, s, x),  # noqa: UP031
    "percent of a tuple": lambda s, x: "%s" % ((x, s),),  # noqa: UP031
    "percent of a dict": lambda s, x: "%(s)s at %(x).1f" % {"s": s, "x": x},  # noqa: UP031
    "zfill": lambda s, x: s.zfill(9).center(15, "*").ljust(20).title(),
    "added in place": lambda s, x: inlined(s),
    "in a dict": lambda s, x: {"a": s, "b": [s, (s, x)]},
    "raised in a test": lambda s, x: raised_if(x > 5, s),
    "several types": lambda s, x: f"{1 if x > 1 else x}{x or None}{x > 1}",
    "array": lambda s, x: f"{np.array([x, 2 * x])} {[x, (x,)]}",
    "spec of several": lambda s, x: f"{(1 if x > 1 else x):.1f}",
    "bin": lambda s, x: bin(int(x)) + oct(int(x)),
}
"""What makes another string of it, or passes it on."""


class Shown:
    def __init__(self, x):
        self.x = x

    def __str__(self):
        return f"S({self.x:.1f})"

    def __repr__(self):
        return f"R({self.x})"


class Formatted:
    def __init__(self, x):
        self.x = x

    def __format__(self, spec):
        return f"<{spec}>{self.x}"


@dataclass
class Fields:
    x: float
    name: str


class Wrong:
    def __init__(self, x):
        self.x = x

    def __str__(self):
        return 3


class Sign:
    def __init__(self, x):
        self.x = x

    def __str__(self):
        return "pos" if self.x > 0 else "neg"


def written(fields: Any) -> Any:
    text = f"{fields}"
    fields.x = 7.0
    return text, f"{fields}"


def inlined(s: Any) -> Any:
    s += "!"
    s += f"{s}"
    return s


def raised_if(test: Any, s: Any) -> Any:
    if test:
        raise ValueError(s)
    return s


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


@pytest.mark.parametrize("use", TAKEN)
@pytest.mark.parametrize("maker", MAKERS)
def test_what_gives_a_string_gives_that_of_python(maker: str, use: str) -> None:
    make, take = MAKERS[maker], TAKEN[use]

    def f(x):
        s = make(x)
        return take(s, x)

    staged = ag.function(f)
    for x in (4.0, 0.5, -3.75, 1e-300, 7.25):
        want, got = outcome(f, x), outcome(staged, x)
        assert want == got


def outcome(function: Callable[..., Any], x: float) -> Any:
    try:
        return repr(function(np.float64(x)))
    except (TypeError, ValueError, OverflowError) as error:
        return type(error), str(error).splitlines()[0]


def test_a_text_is_that_of_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x, n):
        numbers, values = np.zeros(2) + x, [x]
        texts = f"{numbers}", f"{values}", str(values), f"{(x, values)}"
        numbers[0] = 5
        values.append(x)
        grown = []
        for k in range(n):
            grown.append(k)
        before = f"{grown}"
        grown.append(n)
        print(texts, before)
        return texts, before

    assert ag.function(f)(np.float64(1.5), np.int64(3)) == f(np.float64(1.5), np.int64(3))
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


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
