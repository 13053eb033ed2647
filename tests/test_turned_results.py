"""Results whose axes are in another order than the array's that they are a view of: views, as in NumPy."""

import autograph as ag
import numpy as np
import pytest

DTYPES = ("float64", "float32", "int64", "bool", "complex128", "int16", "float16")


def turned(x):
    return (x + x).T


def swapped(x):
    y = x + x
    return np.swapaxes(y, 0, 1), [np.moveaxis(y, 0, -1), {"a": y.T}]


def turned_twice(x):
    return (x + x).T.swapaxes(0, 1)


def written_after_it_is_turned(x):
    y = x + x
    z = y.T
    y[0] = x[1]
    z[-1] = x[0, 0]
    return z


def turned_after_a_branch(x):
    y = x + x
    if x[0, 0] != x[1, 1]:
        y = y + x
    return y.T


def turned_in_a_loop(x):
    y = x
    for _ in range(4):
        y = (y + x).T
        y = y.T
    return y.T


def stacked(x):
    rows = []
    for row in x:
        rows.append(row + row)
    return np.stack(rows).T


def stacked_across(x):
    rows = []
    for row in x:
        rows.append(row + row)
    return np.stack(rows), np.stack(rows, axis=1), np.stack(rows, axis=-1)


def kept_in_c_order(x):
    return np.ascontiguousarray((x + x).T), np.asarray((x + x).T, order="C")


PROGRAMS = [
    turned,
    swapped,
    turned_twice,
    written_after_it_is_turned,
    turned_after_a_branch,
    turned_in_a_loop,
    stacked,
    stacked_across,
    kept_in_c_order,
]


def leaves(result):
    if isinstance(result, np.ndarray):
        return [result]
    return [leaf for one in (result.values() if isinstance(result, dict) else result) for leaf in leaves(one)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_turned_result_is_numpy_s(program, dtype):
    staged = ag.function(program)
    for size in (3, 3, 5, 6, 7):  # Known sizes, then sizes of the run.
        x = np.arange(size * size).reshape(size, size).astype(dtype)
        for found, wanted in zip(leaves(staged(x)), leaves(program(x)), strict=True):
            np.testing.assert_array_equal(found, wanted, strict=True)
            assert found.flags.writeable
            # Complex numbers and narrow dtypes are put together in C order.
            if dtype in ("float64", "float32", "int64", "bool"):
                assert found.strides == wanted.strides


def test_results_of_calls_are_apart():
    staged, x = ag.function(turned), np.ones((3, 4))
    first, second = staged(x), staged(x)
    first[...] = 7.0
    assert (second == 2.0).all()
    a, b = ag.function(lambda x: ((x + 1).T, (x + 1).T))(x)
    a[...] = 7.0
    assert (b == 2.0).all()


def test_no_pass_over_the_elements_turns_them():
    staged = ag.function(turned)
    assert staged(np.ones((3, 4))).shape == (4, 3)
    assert "transpose" not in staged.concrete_function(np.ones((3, 4))).graph.text(True)


def test_a_derivative_of_what_is_turned():
    x = np.arange(12.0).reshape(3, 4)
    value, pulled_back = ag.vjp(turned, x)
    np.testing.assert_array_equal(value, 2 * x.T)
    np.testing.assert_array_equal(pulled_back(x.T)[0], 2 * x)
    np.testing.assert_array_equal(ag.vmap(turned)(np.stack([x, x]))[1], 2 * x.T)


def in_an_order(x, how, order):
    y = x + x
    z = how(y, order)
    z[0] = x[1, 1]
    return y, z


def of_the_argument(x, how, order):
    return how(x, order)


CONVERSIONS = {
    "asarray": lambda x, order: np.asarray(x, order=order),
    "asanyarray": lambda x, order: np.asanyarray(x, order=order),
    "array": lambda x, order: np.array(x, order=order),
    "array without a copy": lambda x, order: np.array(x, copy=None, order=order),
    "array with an axis": lambda x, order: np.array(x, copy=None, order=order, ndmin=3)[0],
    "astype": lambda x, order: x.astype(x.dtype, order=order or "K"),
    "astype without a copy": lambda x, order: x.astype(x.dtype, order=order or "K", copy=False),
    "ascontiguousarray": lambda x, order: np.ascontiguousarray(x),
}


@pytest.mark.parametrize("order", [None, "C", "F", "K", "A"])
@pytest.mark.parametrize("dtype", ["float64", "int64", "complex128", "int16", "float16"])
@pytest.mark.parametrize("name", CONVERSIONS)
def test_what_is_written_to_an_array_in_an_order(name, dtype, order):
    """A write reaches the array where NumPy does not copy, or is refused: it is never kept from it."""
    how = CONVERSIONS[name]
    given = np.arange(12).reshape(3, 4).astype(dtype)
    for x in (given, np.asfortranarray(given)):
        staged = ag.function(in_an_order)
        try:
            found = staged(x, how, order)
        except ag.errors.StagingError as refused:
            assert refused.code in ("AG113", "AG124"), refused
            continue
        for one, wanted in zip(found, in_an_order(x, how, order), strict=True):
            np.testing.assert_array_equal(one, wanted, strict=True)
    for x in (given, np.asfortranarray(given), given[:0], given[0], np.array(given[0, 0])):
        found, wanted = ag.function(of_the_argument)(x, how, order), of_the_argument(x, how, order)
        np.testing.assert_array_equal(found, wanted, strict=True)


def test_what_cannot_be_had_without_a_copy():
    x = np.ones(3)
    for program in (
        lambda x: np.array([x[0], x[1]], copy=False),
        lambda x: np.asarray(x, dtype="float32", copy=False),
    ):
        with pytest.raises(ValueError, match="Unable to avoid copy while creating an array as requested"):
            program(x)
        with pytest.raises(ValueError, match="Unable to avoid copy while creating an array as requested"):
            ag.function(program)(x)
    with pytest.raises(ag.errors.DtypeError, match="cannot be this str"):
        ag.function(lambda x: np.asarray(x + 1, order="Q"))(x)
