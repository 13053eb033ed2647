"""What CPython and NumPy say of an operand that is none: a staged program says it to the letter.

Each operation is judged with a value that may be ``None`` and is, and with tuples, lists and complex numbers.
"""

from __future__ import annotations

import itertools

import pytest
from crossing.judge import judged
from crossing.program import Case

BESIDE_NONE = """\
v < x|x < v|v > x|x > v|v <= x|x >= v|2 > v|v > 2|2.5 <= v|v + x|x * v|v - 2|2 ** v|-v|abs(v)
max(v, 2)|max(2, v)|min(v, 2)|min(2.0, v)|max(v, x)|min(x, v)|max(v)|min([v, 1])|max(1, 2, v)|v == x|x != v
int(v)|float(v)|len(v)|range(v)|round(v)|v[0]|v.shape|sum(v)|list(v)|[*v]|sorted(v)|v == None|v is None
""".replace("\n", "|").strip("|")
OPERANDS = (
    *("np.float64(2.0)", "np.int64(2)", "np.complex128(2j)", "np.bool_(True)", "2", "2.5", "True"),
    *("np.ones(2)", "np.array(2.0)", "np.zeros(0)"),
)

NO_NUMBERS = ("(1.5, 2)", "Pair(1.0, 2)", "1 + 2j")
CONVERSIONS = """\
int(v)|float(v)|math.sqrt(v)|math.floor(v)|divmod(v, 2)|divmod(2, v)
np.int64(v)|np.float32(v)|v // 2|v % 2|math.exp(v)|-v|+v|~v|abs(v)
""".replace("\n", "|").strip("|")

WALKS = ("a, b = v", "a, *b = v", "for e in v: pass", "r = [*v]", "r = [e for e in v]")

PREAMBLE = """\
import math
from typing import NamedTuple
import numpy as np


class Pair(NamedTuple):
    first: float
    second: int


"""


def case_of(statement: str, operand: str) -> Case:
    """A program in which `v` is the operand where `c` holds, and else ``None``."""
    body = ("v = None", "if c:", "    v = x", statement)
    source = PREAMBLE + "def f(x, c):\n" + "".join(f"    {line}\n" for line in body)
    inputs = (f"({operand}, np.bool_(False))", f"({operand}, np.bool_(True))")
    return Case((statement, operand, "", ""), source, inputs)


@pytest.mark.parametrize("operand", OPERANDS)
def test_operands_that_are_none(operand: str) -> None:
    verdicts = [judged(case_of(f"return {expression}", operand), -1) for expression in BESIDE_NONE.split("|")]
    assert not [(one.case.name, one.differences[0][1:]) for one in verdicts if one.differences]
    assert sum(one.agreed for one in verdicts) > len(verdicts) * 0.7


@pytest.mark.parametrize("statement", WALKS)
def test_walks_of_none(statement: str) -> None:
    verdict = judged(case_of(statement, "(1.0, 2.0)"), -1)
    assert not verdict.differences and verdict.agreed


def test_conversions_of_what_is_no_number() -> None:
    pairs = itertools.product(CONVERSIONS.split("|"), NO_NUMBERS)
    verdicts = [judged(case_of(f"return {expression}", operand), -1) for expression, operand in pairs]
    assert not [(one.case.name, one.differences[0][1:]) for one in verdicts if one.differences]
    assert sum(one.agreed for one in verdicts) > len(verdicts) * 0.6


OF_LISTS = """\
[1].index(5)|[1, 2].index(1, 5)|[1].remove(5)|(1,).index(5)|[1] + 5|[1] * 2.5|(1,) + [1]|[1] + (1,)|[1] < (1,)
[1]["a"]|[1][1.5]|[].foo|int([])|hash([])|{[1]: 2}|set([[]])|[].append()|[].append(1, 2)|list.append(1, 2)
list() @ list()|sorted([[1], 2])|{}[[1]]|[x, x] + 5|[x, x].index("a")|[x, x] + "a"|[x, x] < (1,)|[x, x].foo
""".replace("\n", "|").strip("|")


def test_words_that_name_lists() -> None:
    cases = [
        Case((text, "", "", ""), f"def f(x):\n    return {text}\n", ("(2.0,)", "(3.0,)"))
        for text in OF_LISTS.split("|")
    ]
    verdicts = [judged(case, -1) for case in cases]
    assert not [(one.case.name, one.differences[0][1:]) for one in verdicts if one.differences]
    assert {one.case.name[0]: one.refusals for one in verdicts if one.refusals} == {}


def test_a_list_that_has_no_such_element_is_handled() -> None:
    source = (
        "def f(xs, v):\n    try:\n        return [1, 2].index(5), v\n    except ValueError as error:\n"
        "        return str(error), v\n"
    )
    verdict = judged(Case(("handled", "", "", ""), source, ("([1], 2.0)", "([1], 3.0)")), -1)
    assert verdict.agreed == 2
