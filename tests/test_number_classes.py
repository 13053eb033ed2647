"""Members of `IntEnum`, and objects of other classes that derive from numbers, beside staged values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

OPERANDS = {
    "a member": "Level.HIGH",
    "a chosen member": "(Level.HIGH if c > 0 else Level.LOW)",
    "a flag": "Mode.A",
    "a length": "Metres(2.5)",
    "a count": "Count(3)",
    "a complex number": "Phase(1 + 2j)",
    "one of its own": "Own(2.0)",
    "one that reflects": "Reflects(3)",
    "a large one": "Count(70)",
}
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">", "@")
FORMS = {
    "right": "return x {op} {operand}",
    "left": "return {operand} {op} x",
    "in place": "y = x\n    y {op}= {operand}\n    return y",
    "in a loop": "t = x\n    for k in range(n):\n        t = t {op} {operand}\n    return t",
    "in a list": "return [x {op} {operand}, n {op} {operand}]",
}
PREAMBLE = """
from enum import IntEnum, IntFlag
import numpy as np


class Level(IntEnum):
    LOW = 1
    HIGH = 5


class Mode(IntFlag):
    A = 1
    B = 2


class Metres(float):
    pass


class Count(int):
    pass


class Phase(complex):
    pass


class Own(float):
    def __mul__(self, other):
        return Own(float(self) * 2)

    def __lt__(self, other):
        return True


class Reflects(int):
    def __radd__(self, other):
        return "reflected"

    def __rsub__(self, other):
        return NotImplemented


"""
VALUES = (
    *(2, -7, 1.5, True, 0.5 + 1j),
    *(
        kind(3)
        for kind in (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float16, np.float32, np.float64)
    ),
    *(np.complex128(1 - 1j), np.bool_(True)),
    *(np.array([1, 2, 3], dtype) for dtype in ("i1", "u1", "i4", "i8", "f2", "f4", "f8", "c16")),
    *(np.array([True, False]), np.array([]), np.arange(6.0).reshape(2, 3)),
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operand", OPERANDS)
def test_operators(operand, tmp_path):
    text, calls, place = PREAMBLE, {}, list(OPERANDS).index(operand)
    for (o, operator), (f, form) in itertools.product(enumerate(OPERATORS), enumerate(FORMS.values())):
        if form.startswith("y") and operator in ("<", "<=", "==", "!=", ">", "@"):
            continue
        name = f"f{o}_{f}"
        body = form.format(op=operator, operand=OPERANDS[operand])
        text += f"def {name}(x, n, c):\n    {body}\n\n\n"
        chosen = [value for v, value in enumerate(VALUES) if in_turn(place, 3 * o, 5 * f, v, among=23)]
        calls[name] = [(value, n, c) for value, (n, c) in itertools.product(chosen, ((2, 0.5), (3, -0.5)))]
    same, different, _ = compared(module_of(text, tmp_path, "number_classes"), calls)
    assert different == []
    assert same > 0
