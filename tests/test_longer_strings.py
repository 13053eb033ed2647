"""Strings that loops make longer, and random programs of strings: as CPython, or refused at a place."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from program_texts import run_text
from string_programs import program_text
from whole import drawn


def appended(n):
    text = ""
    for i in range(n):
        text += str(i)
    return text


def in_branches(n):
    text = "<"
    for i in range(n):
        if i % 2:
            text += f"{i}, "
        else:
            text = text + "-"
    return text + ">"


def in_front(n):
    text = ""
    while n > 0:
        text = str(n % 2) + text
        n //= 2
    return text or "0"


def on_both_sides(n):
    text = "|"
    for i in range(n):
        text = f"{i}{text}{i}"
    return text, f"[{text}]", [text], {"text": text}


def of_constants(n):
    text = ""
    for _ in range(n):
        text += "x"
    return text


def of_several_constants(n):
    text = ""
    for i in range(n):
        text += "ab" if i % 2 else "c"
    return text


def printed(n):
    text = ""
    for i in range(n):
        text += f"{i}"
        print(text, end=";")
    return text


def of_lines(n):
    picture = ""
    for i in range(n):
        row = ""
        for j in range(i):
            row += "*" if j % 2 else f"{j}"
        picture += row + "\n"
    return picture


def of_digits(n):
    text = ""
    while n > 0:
        text = "0123456789abcdef"[n % 16] + text
        n = n // 16
    return text


class Report:
    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text


def in_an_attribute(n):
    report = Report()
    for i in range(n):
        report.write(f"{i};")
    return report.text


def raised(n):
    text = ""
    for i in range(n):
        text += f"{i}"
    if n > 3:
        raise ValueError(text)
    return text


PROGRAMS = [
    appended,
    in_branches,
    in_front,
    on_both_sides,
    of_constants,
    of_several_constants,
    printed,
    of_lines,
    of_digits,
    in_an_attribute,
    raised,
]


def told(function: Callable[..., Any], n: int) -> tuple[str, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            result = repr(function(np.int64(n)))
        except ValueError as error:
            result = f"{type(error)}: {error.args}"
    return result, out.getvalue()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_python(program: Callable[..., Any]) -> None:
    staged = ag.function(program)
    for n in (0, 1, 2, 5, 12):
        assert told(staged, n) == told(program, n)


def doubled(n):
    text = "a"
    for _ in range(n):
        text = text + text
    return text


def compared(n):
    text = ""
    for _ in range(n):
        text += "ab"
        if text == "abab":
            break
    return text


def changed(n):
    text = ""
    for _ in range(n):
        text = (text + "a").upper()
    return text


def kept(n):
    texts, text = [], ""
    for i in range(n):
        text += f"{i}"
        texts.append(text)
    return texts


@pytest.mark.parametrize("program", [compared, changed, kept], ids=lambda program: program.__name__)
def test_what_is_refused_has_a_place(program: Callable[..., Any]) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(program)(np.int64(9))
    assert caught.value.code in ("AG101", "AG120", "AG131")
    assert caught.value.location is not None and caught.value.location.file == __file__


def test_what_doubles_is_not_recorded_for_ever() -> None:
    assert ag.function(doubled)(np.int64(9)) == "a" * 512


CASES = ((1.5, 3), (-0.5, 12), (0.5, 0), (2.25, 14))


def random_outcome(function: Callable[..., Any], x: float, n: int) -> Any:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            return repr(function(np.float64(x), np.int64(n))), out.getvalue()
        except ag.AutographError as error:
            assert error.code != "AG208" and error.location is not None, error
            return None
        except Exception as error:
            return type(error), str(error).splitlines()[:1]


def test_random_programs() -> None:
    known = 0
    for seed in range(drawn(50, whole=2000)):
        function = run_text(program_text(seed), f"<strings {seed}>")["f"]
        staged = ag.function(function)
        for case in CASES:
            got = random_outcome(staged, *case)
            known += got is not None
            assert got is None or got == random_outcome(function, *case), (seed, case)
    assert known
