"""Characters of ints: their digits are computed in the graph, for all ints of 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

INTS = (0, 5, -3, 12, -10, 99, 100, 120, -120, 121, 9**19 % 2**61, 10**18, 2**63 - 1, -(2**63), 1 - 2**63)


def loop(n):
    found = []
    for c in str(n):
        if c in "13579":
            found.append(c)
        elif c in ("0", "8"):
            found.append("even")
        elif c == "-":
            found.append(f"minus {n}")
    return found


def luhn(n):
    total = 0
    for place, c in enumerate(reversed(str(abs(n // 2)))):
        digit = int(c)
        if place % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10


def happy(n):
    n, k = abs(int(n) // 3), 0
    while n > 4 and k < 20:
        n = sum(int(d) ** 2 for d in str(n))
        k += 1
    return n, k


def counted(n):
    counts = [0] * 10
    for c in str(abs(n // 2)):
        counts[int(c)] += 1
    return counts


def hashed(n):
    total = 0
    for c in f"{n}ab":
        total = (total * 31 + ord(c)) % 1000003
    return total


def narcissistic(n):
    s = str(abs(n % 1000))
    return sum(int(c) ** len(s) for c in s)


USES: dict[str, Callable[[Any], Any]] = {
    "length": lambda n: (len(str(n)), len(bin(n)), len(f"<{n}>"), len(hex(n)[2:])),
    "reversed": lambda n: int(str(n // 10)[::-1]),
    "digits": lambda n: sum(int(c) for c in str(abs(n // 2))),
    "digits of what may be negative": lambda n: sum(int(c) for c in str(n)),
    "palindrome": lambda n: (str(n) == str(n)[::-1], str(n) != "12", "120" == str(n), str(n) == 12),
    "counts": lambda n: (bin(n).count("1"), str(n).count("2"), f"{n:b}".count("0"), f"{n:x}".count("f")),
    "items": lambda n: (str(n)[0], str(n)[-1], str(n)[0] == "-", int(str(n)[-1])),
    "third item": lambda n: str(n)[2],
    "begins": lambda n: (str(n).startswith("1"), str(n).endswith("20"), "1" in str(n), "" in str(n)),
    "are digits": lambda n: (str(n).isdigit(), str(n)[1:].isdigit()),
    "lists": lambda n: (list(str(n)), [int(c) for c in str(abs(n // 2))], list(map(int, str(abs(n // 2))))),
    "enumerated": lambda n: ([(i, c) for i, c in enumerate(str(n))], [c for c in reversed(str(n))]),
    "side by side": lambda n: [a == b for a, b in zip(str(n), bin(n))],
    "characters": lambda n: [chr(97 + int(n) % 26), chr(ord("a") + int(n) % 26) + "!"],
    "a character": lambda n: chr(n),
    "truth": lambda n: (bool(str(n)), 1 if str(n)[5:] else 2, not str(n)),
    "joined": lambda n: (
        "".join(c for c in str(n) if c != "2"),
        "-".join(str(n)),
        ",".join(reversed(str(n))),
    ),
    "any": lambda n: (any(c == "2" for c in str(n)), all(c != "7" for c in str(n))),
    "greatest": lambda n: max(int(c) for c in str(abs(n // 2))),
    "bits": lambda n: sum(1 for b in bin(n)[2:] if b == "1"),
    "made longer": lambda n: (int("1" + str(abs(n) % 1000)), int(f"{n % 100}0")),
    "in a set": lambda n: (str(n)[-1] in {"1", "2", "a"}, str(n) in {"5", "12", 5}),
    "chosen": lambda n: "even" if str(n)[-1] in "02468" else f"odd {str(n)[-1]}",
    "unpacked": lambda n: [*str(n)],
    "loop": loop,
    "luhn": luhn,
    "happy": happy,
    "counted": counted,
    "hashed": hashed,
    "narcissistic": narcissistic,
}

REFUSED: dict[str, Callable[[Any], Any]] = {
    "less": lambda n: str(n) < "5",
    "looked up": lambda n: {"1": 2}.get(str(n)),
    "split": lambda n: str(n).split("1"),
    "of a float": lambda n: len(str(n / 2)),
    "another base": lambda n: int(bin(n), 2),
    "any character as a number": lambda n: int(chr(n)),
    "any character as a digit": lambda n: chr(n).isdigit(),
    "a space": lambda n: int(f" {n}"),
    "a cut string": lambda n: bool(f"{n!s:.0}"),
    "an underscore": lambda n: int(f"1_{n}"),
    "two characters": lambda n: "12" in str(n),
    "padded": lambda n: len(str(n).zfill(5)),
}


def outcome(function: Callable[..., Any], n: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return repr(function(n))
    except ag.AutographError as error:
        return error
    except Exception as error:
        return type(error), str(error).splitlines()[:1]


@pytest.mark.parametrize("use", USES)
def test_as_python(use: str) -> None:
    staged = ag.function(USES[use])
    for n in INTS:
        for kind in (np.int64, np.int32) if abs(n) < 2**31 else (np.int64,):
            assert outcome(staged, kind(n)) == outcome(USES[use], kind(n)), n


def test_an_int_of_python() -> None:
    """The first call knows it, and a later one stages it."""
    staged = ag.function(USES["digits"])
    for n in (5, 12, 120):
        assert staged(n) == USES["digits"](n)


def test_an_int_of_more_than_64_bits_is_refused_by_the_run() -> None:
    staged = ag.function(lambda n: int(str(n)[::-1]))
    assert staged(np.int64(120)) == 21
    with pytest.raises(OverflowError, match="64 bits"):
        staged(np.int64(1_999_999_999_999_999_999))


@pytest.mark.parametrize("use", REFUSED)
def test_what_is_not_computed_is_refused(use: str) -> None:
    found = outcome(ag.function(REFUSED[use]), np.int64(12))
    assert isinstance(found, ag.StagingError) and found.code == "AG101"
    assert found.location is not None and found.location.file == __file__
