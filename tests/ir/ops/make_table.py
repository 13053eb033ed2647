"""Writes table.txt: what NumPy gives for every op, for the reference interpreter to be held to.

    python tests/ir/ops/make_table.py > tests/ir/ops/table.txt

A line is `op | attributes | operand | … | = expected`, operands and result as `type literal` in the
text form of graphs. Where a row's NumPy expression is not obvious it is spelled out here. Rows after
`near` are compared with a tolerance, since the last bit is the mathematical library's.
"""

import itertools
import warnings

import numpy as np

warnings.simplefilter("ignore")
NAMES = {"bool": "bool", "uint8": "u8", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64"}


def literal(array):
    def nested(item):
        if isinstance(item, list):
            return "[" + ", ".join(map(nested, item)) + "]"
        return repr(item).lower()

    if array.size == 0:
        return "[]"
    return nested(array.tolist())


def typed(value):
    array = np.asarray(value)
    return f"{NAMES[array.dtype.name]}[{', '.join(map(str, array.shape))}] {literal(array)}"


def row(op, operands, expected, attributes="", near=False):
    fields = ["near" if near else "same", op, attributes, *map(typed, operands), "= " + typed(expected)]
    print(" | ".join(fields))


F = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.7, -3.7, 1e30, -1e-30, np.inf, -np.inf, np.nan]
INTEGERS = {
    "uint8": [0, 1, 2, 3, 7, 8, 127, 128, 254, 255],
    "int32": [0, 1, -1, 2, -2, 3, -7, 8, 31, 32, 40, 2**31 - 1, -(2**31)],
    "int64": [0, 1, -1, 2, -2, 3, -7, 8, 63, 64, 70, 2**63 - 1, -(2**63)],
}
B = np.array([True, False])


def pairs(values, dtype):
    left, right = zip(*itertools.product(values, values))
    return np.array(left, dtype), np.array(right, dtype)


def elementwise():
    exact = dict(
        neg=np.negative,
        abs=np.abs,
        sign=np.sign,
        sqrt=np.sqrt,
        floor=np.floor,
        ceil=np.ceil,
        trunc=np.trunc,
        rint=np.rint,
        is_nan=np.isnan,
        is_inf=np.isinf,
        is_finite=np.isfinite,
    )
    near = (
        "exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh"
        " arccosh arctanh cbrt"
    )
    for dtype in (np.float64, np.float32):
        x = np.array(F, dtype)
        for name, function in exact.items():
            row(name, [x], function(x))
        small = np.array([0.0, -0.0, 0.1, -0.1, 0.9, 1.0, -1.0, 2.0, 20.0, np.inf, -np.inf, np.nan], dtype)
        for name in near.split():
            row(name, [small], getattr(np, name)(small), near=True)
        a, b = pairs(F, dtype)
        for name, function in dict(
            add=np.add,
            sub=np.subtract,
            mul=np.multiply,
            div=np.divide,
            floor_div=np.floor_divide,
            mod=np.mod,
            fmod=np.fmod,
        ).items():
            row(name, [a, b], function(a, b))
        # Which of two zeros is larger differs between NumPy's own loops.
        different = (a != 0) | (b != 0)
        for name, function in dict(maximum=np.maximum, minimum=np.minimum).items():
            row(name, [a[different], b[different]], function(a[different], b[different]))
        for name, function in dict(pow=np.power, arctan2=np.arctan2, hypot=np.hypot).items():
            row(name, [a, b], function(a, b), near=True)
        comparisons(a, b)
    for dtype, values in INTEGERS.items():
        x = np.array(values, dtype)
        for name, function in dict(neg=np.negative, abs=np.abs, sign=np.sign, bit_not=np.invert).items():
            row(name, [x], function(x))
        a, b = pairs(values, dtype)
        for name, function in dict(
            add=np.add,
            sub=np.subtract,
            mul=np.multiply,
            floor_div=np.floor_divide,
            mod=np.mod,
            fmod=np.fmod,
            maximum=np.maximum,
            minimum=np.minimum,
            bit_and=np.bitwise_and,
            bit_or=np.bitwise_or,
            bit_xor=np.bitwise_xor,
            shift_left=np.left_shift,
            shift_right=np.right_shift,
        ).items():
            row(name, [a, b], function(a, b))
        b = np.abs(b) % 11
        row("pow", [a, b.astype(dtype)], np.power(a, b.astype(dtype)))
        comparisons(a, b.astype(dtype))
    row("logical_not", [B], np.logical_not(B))
    row("bit_not", [B], np.invert(B))
    a, b = pairs([True, False], np.bool_)
    for name, function in dict(
        add=np.add, mul=np.multiply, bit_and=np.bitwise_and, bit_or=np.bitwise_or, bit_xor=np.bitwise_xor
    ).items():
        row(name, [a, b], function(a, b))
    comparisons(a, b)
    x = np.arange(6.0).reshape(2, 3)
    y = np.array([[10.0], [20.0]])
    row("add", [x, y], x + y)
    row("sub", [np.float64(1), x], 1 - x)
    row("mul", [np.zeros((0, 3)), np.ones(3)], np.zeros((0, 3)))
    test = np.array([True, False, True])
    row("select", [test, x, y], np.where(test, x, y))
    row("select", [np.True_, np.int64(3), np.arange(2)], np.where(True, np.int64(3), np.arange(2)))


def comparisons(a, b):
    for name, function in dict(
        eq=np.equal, ne=np.not_equal, lt=np.less, le=np.less_equal, gt=np.greater, ge=np.greater_equal
    ).items():
        row(name, [a, b], function(a, b))


def casts():
    sources = [
        np.array(F),
        np.array(F, np.float32),
        B,
        *(np.array(values, dtype) for dtype, values in INTEGERS.items()),
    ]
    for source, name in itertools.product(sources, NAMES):
        if source.dtype.kind == "f" and name in ("uint8", "int32", "int64"):
            # Out of range is the machine's affair.
            source = source[
                np.isfinite(source) & (np.abs(source) < 100) & ((source > -1) | (name != "uint8"))
            ]
        row("cast", [source], source.astype(name))


def moves():
    x = np.arange(24).reshape(2, 3, 4)
    row("broadcast", [np.arange(3)[:, None]], np.broadcast_to(np.arange(3)[:, None], (2, 3, 4)))
    row("broadcast", [np.float32(2)], np.full((2, 2), 2, np.float32))
    row("reshape", [x], x.reshape(4, 6))
    row("reshape", [np.float64(2)], np.full((1, 1), 2.0))
    row("transpose", [x], x.transpose(2, 0, 1), "axes=[2, 0, 1]")
    row("slice", [x], x[1:0:-1, 0:3:2, 3:0:-2], "start=[1, 0, 3] size=[1, 2, 2] step=[-1, 2, -2]")
    row("slice", [x], x[:, 1:1, :], "start=[0, 1, 0] size=[2, 0, 4] step=[1, 1, 1]")
    row("dynamic_slice", [x, np.int64(1)], x[:, 1:3], "axis=1 size=2")
    after = x.copy()
    after[:, ::2, 3:0:-2] = -np.arange(8).reshape(2, 2, 2)
    row("update_slice", [x, -np.arange(8).reshape(2, 2, 2)], after, "start=[0, 0, 3] step=[1, 2, -2]")
    after = x.copy()
    after[:, :, 2:4] = 7
    row("dynamic_update_slice", [x, np.full((2, 3, 2), 7), np.int64(2)], after, "axis=2")
    i, j = np.array([[0, -1], [1, 2]], np.int32), np.array([3, -4])
    row("gather", [x, np.int64(-1)], x[:, -1], "axis=1")
    row("gather", [x, i], x[:, i], "axis=1")
    row("gather", [x, i, j], x[:, i, j], "axis=1")
    row("gather", [x, np.array([], np.int64)], x[np.array([], np.int64)], "axis=0")
    after = x.copy()
    after[:, i, j] = 100
    row("scatter", [x, np.int64(100), i, j], after, "axis=1")
    after = np.zeros(4)
    after[[1, 1, 3]] = [5.0, 6.0, 7.0]
    row("scatter", [np.zeros(4), np.array([5.0, 6.0, 7.0]), np.array([1, 1, -1])], after, "axis=0")
    after = np.zeros(4)
    np.add.at(after, [1, 1, -1], [5.0, 6.0, 7.0])
    row("scatter_add", [np.zeros(4), np.array([5.0, 6.0, 7.0]), np.array([1, 1, -1])], after, "axis=0")
    after = x.copy()
    np.add.at(after, (slice(None), i, j), 100)
    row("scatter_add", [x, np.int64(100), i, j], after, "axis=1")
    row("concatenate", [x, x[:, :1], x[:, 2:]], np.concatenate([x, x[:, :1], x[:, 2:]], 1), "axis=1")
    row("iota", [], np.arange(4, dtype=np.float32))
    row("iota", [], np.arange(0))


def reductions():
    f = np.array([[1.5, np.nan, 3.0], [-0.5, 2.0, np.inf]])
    i = np.array([[3, 1, 3], [-5, 2, 0]], np.int32)
    b = np.array([[True, False, True], [True, True, True]])
    functions = dict(sum=np.sum, prod=np.prod, max=np.max, min=np.min)
    for (name, function), x in itertools.product(functions.items(), [f, i, f.astype(np.float32)]):
        typed_sum = {"dtype": x.dtype} if name in ("sum", "prod") else {}
        row(name, [x], function(x, axis=0, **typed_sum), "axes=[0]")
        row(name, [x], function(x, axis=1, keepdims=True, **typed_sum), "axes=[1] keepdims")
        row(name, [x], function(x, **typed_sum), "axes=[0, 1]")
    for name, function in dict(any=np.any, all=np.all, max=np.max, min=np.min).items():
        row(name, [b], function(b, axis=1), "axes=[1]")
        row(name, [b], function(b, axis=0), "axes=[0]")
    row("sum", [np.zeros((0, 2))], np.zeros(2), "axes=[0]")
    row("prod", [np.zeros((2, 0), np.int64)], np.ones(2, np.int64), "axes=[1]")
    row("any", [np.zeros(0, bool)], np.False_, "axes=[0]")
    row("all", [np.zeros(0, bool)], np.True_, "axes=[0]")
    row("sum", [np.full(4, 2**62)], np.int64(0), "axes=[0]")
    for x, axis in itertools.product([f, i, b, np.array([[1.0, 1.0, 0.0], [np.nan, 5.0, np.nan]])], [0, 1]):
        row("argmax", [x], np.argmax(x, axis), f"axis={axis}")
        row("argmin", [x], np.argmin(x, axis), f"axis={axis}")
    for x, axis in itertools.product([f, i, np.full((2, 3), 2, np.uint8)], [0, 1]):
        row("cumsum", [x], np.cumsum(x, axis, dtype=x.dtype), f"axis={axis}")
        row("cumprod", [x], np.cumprod(x, axis, dtype=x.dtype), f"axis={axis}")


def products():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4) - 5
    row("dot", [a, b], a @ b, "left_contract=[1] right_contract=[0]")
    row("dot", [a, b.T], a @ b, "left_contract=[1] right_contract=[1]")
    row("dot", [a[0], b], a[0] @ b, "left_contract=[0] right_contract=[0]")
    row("dot", [a[0], a[1]], a[0] @ a[1], "left_contract=[0] right_contract=[0]")
    row("dot", [a[0], b[0]], np.outer(a[0], b[0]), "left_contract=[] right_contract=[]")
    row("dot", [a, a], np.tensordot(a, a, 2), "left_contract=[0, 1] right_contract=[0, 1]")
    c, d = np.arange(12).reshape(2, 2, 3), np.arange(18).reshape(2, 3, 3)
    row("dot", [c, d], c @ d, "left_batch=[0] right_batch=[0] left_contract=[2] right_contract=[1]")
    row("dot", [np.zeros((2, 0)), np.zeros((0, 3))], np.zeros((2, 3)), "left_contract=[1] right_contract=[0]")
    f = np.array([16777216.0, 1.0, 1.0], np.float32)
    row("dot", [f, np.ones(3, np.float32)], np.float32(16777218), "left_contract=[0] right_contract=[0]")


for group in (elementwise, casts, moves, reductions, products):
    group()
