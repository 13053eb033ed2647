"""The kinds of values that a program may hold: how they are written as arguments and in the program.

A kind has two values that differ, `x` and `y`, and one that has another dtype or shape.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    Attributes:
        name: Its name in reports.
        x: An expression for one value.
        y: An expression for another one.
        other: One of another dtype or shape, which the same function is called with.
        literal: A value as the program itself would make it, of a type that may be another.
    """

    name: str
    x: str
    y: str
    other: str
    literal: str


KINDS = [
    Kind("int", "3", "-2", "2.5", "7"),
    Kind("float", "2.5", "-0.0", "3", "0.5"),
    Kind("zero", "-0.0", "0.0", "np.float64(-0.0)", "0.0"),
    Kind("bool", "True", "False", "2", "False"),
    Kind("complex", "1 + 2j", "-1j", "2.0", "2j"),
    Kind("wide int", "2**53 + 1", "-(2**62)", "2.0**53", "2**53"),
    Kind("numpy bool", "np.bool_(True)", "np.bool_(False)", "np.int64(1)", "True"),
    Kind("uint8", "np.uint8(200)", "np.uint8(3)", "np.int32(-7)", "-1"),
    Kind("int32", "np.int32(-5)", "np.int32(2)", "np.int64(2**40)", "3"),
    Kind("int64", "np.int64(6)", "np.int64(0)", "np.float64(1.5)", "2"),
    Kind("float32", "np.float32(1.5)", "np.float32(-2.25)", "np.float64(0.1)", "1"),
    Kind("float64", "np.float64(2.5)", "np.float64(-1.0)", "np.float32(0.5)", "0"),
    Kind("infinite", "np.float64('inf')", "np.float64('nan')", "np.float64(1.0)", "np.inf"),
    Kind("complex128", "np.complex128(1 - 1j)", "np.complex128(2)", "np.complex64(1j)", "1.0"),
    Kind(
        "array", "np.array([1.5, -2.0, 3.0])", "np.array([0.0, 4.0, 1.0])", "np.array([2, 7])", "np.ones(3)"
    ),
    Kind("int array", "np.array([1, 2, 3])", "np.array([5, -1, 0])", "np.array([1.5])", "np.zeros(3, int)"),
    Kind("uint8 array", "np.array([1, 255], np.uint8)", "np.zeros(2, np.uint8)", "np.array([300, 2])", "0"),
    Kind("bool array", "np.array([True, False])", "np.array([False, False])", "np.array([2.0, 0.0])", "True"),
    Kind("matrix", "np.arange(6.0).reshape(2, 3)", "-np.ones((2, 3))", "np.ones((1, 3), np.float32)", "0.0"),
    Kind("rank zero", "np.array(2.0)", "np.array(-1.0)", "np.array(3)", "2.0"),
    Kind("empty", "np.array([])", "np.zeros(0)", "np.array([1.0])", "np.zeros(0)"),
    Kind("view", "np.arange(8.0)[::2]", "np.arange(9.0)[1:5]", "np.arange(6).reshape(2, 3).T", "np.zeros(4)"),
    Kind("none", "None", "None", "2.0", "None"),
    Kind("tuple", "(1.5, 2)", "(0.5, -3)", "(1, 2.0)", "(0, 0)"),
    Kind("nested tuple", "((1.0, 2), 3)", "((0.0, 1), 5)", "((1, 2), 3)", "((0, 0), 0)"),
    Kind("named tuple", "Pair(1.0, 2)", "Pair(-1.0, 3)", "Pair(1, 2.0)", "Pair(0, 0)"),
    Kind("list", "[1.5, 2.5]", "[0.0, -1.0]", "[1, 2, 3]", "[0.0]"),
    Kind("list of ints", "[3, 1, 2]", "[5, 4, 6]", "[2.5]", "[]"),
    Kind("list of arrays", "[np.ones(2), np.zeros(2)]", "[np.zeros(2), np.ones(2)]", "[np.ones(3)]", "[]"),
    Kind("list of lists", "[[1.0], [2.0, 3.0]]", "[[0.0]]", "[[1]]", "[[0.0]]"),
    Kind("dict", "{'a': 1.5, 'b': 2}", "{'a': 0.5, 'b': -1}", "{'a': 1, 'b': 2.0}", "{'a': 0, 'b': 0}"),
    Kind("object", "Box(1.5)", "Box(-2.0)", "Box(3)", "Box(0)"),
    Kind("string", "'ab'", "'c'", "'ab'", "'d'"),
    Kind("range", "range(3)", "range(1, 9, 2)", "range(0)", "range(2)"),
]
