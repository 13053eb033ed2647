"""A Python int beside integers of NumPy is converted to their dtype, or raises in NumPy's words.

``np.uint8(3) + n`` raises ``OverflowError: Python integer 300 out of bounds for uint8``, and
``np.where(c, x, n)`` cuts bits off, ``np.clip(x, n, 4)`` compares numbers. Every function that takes a number
beside an array gets an int on either side, known and staged, beside arrays, scalars and nothing.
"""

import operator

import autograph as ag
import numpy as np
import pytest

DTYPES = (np.uint8, np.int32, np.int64)
INTS = (-1, 0, 3, 200, 300, 2**31, 2**40, -(2**15) - 1)

UFUNCS = (
    np.add, np.subtract, np.multiply, np.floor_divide, np.remainder, np.divmod, np.true_divide, np.maximum,
    np.minimum, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.less,
    np.less_equal, np.equal, np.not_equal, np.greater, np.greater_equal, np.logical_and, np.gcd, np.fmod,
    np.power, np.copysign,
)  # fmt: skip

IN_PLACE = (
    operator.iadd, operator.isub, operator.imul, operator.ifloordiv, operator.imod, operator.iand,
    operator.ior, operator.ixor, operator.ilshift, operator.irshift,
)  # fmt: skip


def copied(x, n):
    np.copyto(x, n)
    return x


def put_by_mask(x, n):
    np.putmask(x, x > 1, n)
    return x


def put(x, n):
    np.put(x, [0], n)
    return x


def filled(x, n):
    x.fill(n)
    return x


def placed(x, n):
    np.place(x, x > 1, [n])
    return x


FUNCTIONS = {
    "where": lambda x, n: np.where(x > 1, x, n),
    "where reflected": lambda x, n: np.where(x > 1, n, x),
    "where of ints": lambda x, n: np.where(x > 1, n, 2),
    "clip above": lambda x, n: np.clip(x, 1, n),
    "clip below": lambda x, n: np.clip(x, n, 4),
    "clip, method": lambda x, n: x.clip(n, None),
    "clip of an int": lambda x, n: np.clip(n, x, x),
    "select": lambda x, n: np.select([x > 1, x > 2], [x, n], 0),
    "select default": lambda x, n: np.select([x > 1], [x], n),
    "choose": lambda x, n: np.choose(x > 1, [x, n]),
    "copyto": copied,
    "putmask": put_by_mask,
    "put": put,
    "place": placed,
    "fill": filled,
    "full_like": lambda x, n: np.full_like(x, n),
    "full": lambda x, n: np.full(x.shape, n, x.dtype),
    "append": lambda x, n: np.append(x, n),
    "insert": lambda x, n: np.insert(x, 0, n),
    "stack": lambda x, n: np.hstack([x, n]),
    "array": lambda x, n: np.array([x.dtype.type(1), n]),
    "asarray": lambda x, n: np.asarray(n, x.dtype),
    "astype": lambda x, n: np.array([n]).astype(x.dtype),
    "isin": lambda x, n: np.isin(x, [n]),
    "searchsorted": lambda x, n: np.searchsorted(x, n),
    "dot": lambda x, n: np.dot(x, n),
    "outer": lambda x, n: np.outer(x, n),
    "sum initial": lambda x, n: np.sum(x, initial=n),
    "max initial": lambda x, n: np.max(x, initial=n),
    "isclose": lambda x, n: np.isclose(x, n),
    "array_equal": lambda x, n: np.array_equal(x, n),
    "in": lambda x, n: n in np.atleast_1d(x),
    "scalar": lambda x, n: x.dtype.type(n),
    "max of Python": lambda x, n: max(x.dtype.type(3), n),
    "diff prepend": lambda x, n: np.diff(x, prepend=n),
    "nan_to_num": lambda x, n: np.nan_to_num(x, nan=n),
    "ldexp": lambda x, n: np.ldexp(1.5, x) + n,
    "pad": lambda x, n: np.pad(x, 1, constant_values=n),
    "linspace": lambda x, n: np.linspace(x.dtype.type(1), n, 3),
    "interp": lambda x, n: np.interp(n, [0, 1], [0, 1]) + x,
    "ufunc.outer": lambda x, n: np.add.outer(x, n),
    "add.at": lambda x, n: np.add.at(x, [0], n),
}

CALLS = {
    **{ufunc.__name__: ufunc for ufunc in UFUNCS},
    **{f"{ufunc.__name__} reflected": lambda x, n, ufunc=ufunc: ufunc(n, x) for ufunc in UFUNCS},
    **{function.__name__: function for function in IN_PLACE},
    **FUNCTIONS,
}


REFUSED = {
    **dict.fromkeys(("put", "place", "add.at"), "AG109"),  # a scalar is not written
    "fill": "AG112",
    **dict.fromkeys(("diff", "searchsorted"), "AG102"),
    **dict.fromkeys(("copysign", "sum"), "AG103"),  # float16 and uint64
}
"""The code of a refusal, where a function has one."""


def outcome(function, x, n):
    try:
        with np.errstate(all="ignore"):
            result = function(x, n)
    except ag.errors.AutographError as error:
        return "refused", error.code, str(error), ""
    except Exception as error:
        return type(error).__name__, str(error), repr(x), ""
    return repr(result), type(result).__name__, repr(x), str(getattr(result, "dtype", ""))


def values(dtype):
    return (np.array([1, 2, 3], dtype), dtype(3), np.zeros(0, dtype))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", ["known", "staged"])
def test_as_numpy(name, kind):
    call = CALLS[name]
    if kind == "known":
        staged = ag.function(lambda x, n: call(x, n))
    else:
        staged = ag.function(lambda x, n: call(x, int(n)))
    wrong = []
    for dtype in DTYPES:
        for x in values(dtype):
            for n in INTS:
                expected = outcome(call, x.copy(), n)
                got = outcome(staged, x.copy(), n if kind == "known" else np.int64(n))
                if got[:2] == ("refused", REFUSED.get(name.split()[0])):
                    continue
                if got != expected:
                    wrong.append((dtype.__name__, x, n, got, expected))
    assert not wrong


# What crosses of narrow and wide values found, each with what NumPy does.


def complex_in_lists(x):
    return np.atleast_1d([x], [1.0]), np.meshgrid([x, 2.0], [1.0]), np.broadcast_arrays([x], [1.0, 2.0])


def lists_without_elements(x):
    return np.array([x, []]), np.stack([x, []]), np.concatenate([x, []]), np.array([[], x], np.int32)


def quantiles(x):
    single = np.float32(0.3)
    return np.quantile(x, single), np.percentile(x, [np.float32(5.0)]), np.quantile(x, 0.3), np.median(x)


def signs_of_zeros(x):
    return np.dot(x, -1.0), np.dot(-1.0, x), np.inner(x, -2.0), np.dot(x[:1], -1.0), np.dot(x[x < 1], -1.0)


def initial_values(x):
    return np.sum(x, initial=2.5), np.prod(x, initial=2.5), np.max(x, initial=2.5), np.min(x, initial=True)


def unsigned_numbers(x):
    k = np.uint8(1)
    return np.diag(x, k), np.roll(x, k), np.diag(np.outer(x, x), k)


def beside_singles(x):
    return np.linspace(x, 2, 3), np.isclose(x, 1e300), np.histogram(x, 7)[1], np.clip(x, 1, None)


SINGLES = np.array([0.0, 2.5, 1.0], np.float32)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (complex_in_lists, np.complex128(1 + 2j)),
        (lists_without_elements, np.zeros(0, np.uint8)),
        (quantiles, np.array([1, 2, 4], np.uint8)),
        (quantiles, SINGLES),
        (signs_of_zeros, np.array([0.0, 1.0])),
        (signs_of_zeros, SINGLES),
        (initial_values, np.array([1, 2], np.uint8).astype(np.int32)),
        (initial_values, SINGLES),
        (unsigned_numbers, SINGLES),
        (beside_singles, SINGLES),
    ],
)
def test_found(function, argument):
    staged = ag.function(function)
    assert repr(staged(argument)) == repr(function(argument))


def test_functions_of_numpy_that_call_themselves():
    staged = ag.function(lambda x: np.polyder(x, 10**6))
    with pytest.raises(RecursionError):
        np.polyder(np.ones(3), 10**6)
    with pytest.raises(ag.errors.StagingError, match="a function calls itself again and again"):
        staged(np.ones(3))
