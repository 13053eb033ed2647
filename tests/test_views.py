"""Views of staged arrays: what is written to one is written to its array, and read there; as in plain NumPy.

Some of the programs are drawn, always the same ones: `make cross` draws ten times as many.
"""

from __future__ import annotations

import inspect
import random
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from view_programs import HEAD, texts
from whole import drawn

PARTS = 6


def rows_divided(a, s):
    for i in range(a.shape[0]):
        row = a[i]
        row /= s
    return a.sum()


def rows_of_for(a, s):
    for row in a:
        row -= row.mean()
    return a.sum()


def one_row(a, s):
    row = a[0]
    for _ in range(a.shape[0]):
        row += s
    return a.sum()


def elements_of_a_view(a, s):
    v = a[1:]
    for i in range(a.shape[0] - 1):
        v[i, 0] += v[i, 1] * s
    return a.sum()


def elements_of_rows(a, s):
    for i in range(a.shape[0]):
        a[i][0] = s
    return a.sum()


def rows_of_a_reshape(a, s):
    b = a[:, 0] * 1.0
    m = b.reshape(-1, 2)
    for i in range(m.shape[0]):
        m[i] += s
    return b.sum()


def returned_early(a, n):
    for i in range(n):
        a[i] = 1
        if a.sum() > 30:
            return a
    return a


def returned_from_while(a, n):
    i = 0
    while True:
        a[i] += 1
        if i >= n:
            return a
        i += 1


def a_row_returned_early(a, n):
    for i in range(n):
        a[i] = 1
        for j in range(n):
            a[0, j] += 1
            if a[0, j] > 1 and i > 0:
                return a[1]
    return a[1]


def local_returned_early(a, n):
    b = a * 2
    for i in range(n):
        b[i] += 1
        if b.sum() > 140:
            return b
    return b * 3


def bound_in_a_branch(a, n):
    if n > 1:
        row = a[0]
    a[0] = n
    if n > 1:
        row += 1
        return row.sum()
    return a.sum()


@pytest.mark.parametrize(
    "function",
    [returned_early, returned_from_while, a_row_returned_early, local_returned_early, bound_in_a_branch],
)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_variables_that_are_one_array_or_unbound(function: Any, n: int) -> None:
    ours, theirs = (np.arange(12.0).reshape(3, 4) for _ in range(2))
    got, want = ag.function(function)(ours, np.int64(n)), function(theirs, n)
    np.testing.assert_equal(got, want)
    np.testing.assert_equal(ours, theirs)
    assert (got is ours) == (want is theirs)


def swapped(x, n):
    u, v = x.copy(), x.copy()
    for _ in range(n):
        v[1:-1] = u[:-2] + u[2:]
        u, v = v, u
    return u, v


def written_and_bound_anew(x, n):
    w = x.copy()
    for _ in range(n):
        w[0] += 1
        w = w * 2
    return w


def swapped_in_a_loop_in_a_loop(x, n):
    u, v = x.copy(), x * 0
    for k in range(n):
        for j in range(n + 1):
            v[...] = u + k
            v[0] = j
            u, v = v, u
        u[1] -= 1
    return u, v


def three_in_turn(x, n):
    a, b, c = x.copy(), x + 1, x + 2
    for i in range(n):
        a[1] = b[0] + c[2] + i
        row = a[:1]
        row += 1
        a, b, c = b, c, a
    return a, b, c


def swapped_at_times(x, n):
    u, v = x.copy(), x * 2
    for i in range(n):
        v[0] = u[1] + i
        if v[0] > 3:
            u, v = v, u
    return u, v


def kept_in_a_list(x, n):
    u, v, seen = x.copy(), x.copy(), []
    for i in range(n):
        v[0] = i
        seen.append(v)
        u, v = v, u
    return seen


def kept_by_a_name(x, n):
    u, v, before = x.copy(), x.copy(), x * 0
    total = 0.0
    for i in range(n):
        v[0] += i + 1
        total = total + before.sum()
        before = v
        u, v = v, u
    return total


def kept_by_a_row(x, n):
    u, v, row = x.copy(), x.copy(), x[:1]
    total = 0.0
    for i in range(n):
        v[0] += i + 1
        total = total + row.sum()
        row = v[:1]
        u, v = v, u
    return total


def kept_in_a_pair(x, n):
    u, v = x.copy(), x.copy()
    pair = (u, 0)
    for i in range(n):
        v[0] += i + 1
        pair = (u, i)
        u, v = v, u
    return pair[0] + 0


def kept_by_a_function(x, n):
    u, v = x.copy(), x.copy()

    def total():
        return u.sum() + 2 * v.sum()

    found = 0.0
    for i in range(n):
        v[0] += i + 1
        u, v = v, u
        found = found + total()
    return found


def two_names_at_the_end(x, n):
    u, v = x.copy(), x.copy()
    for i in range(n):
        v[0] += i + 1
        u = v
        v = u if i > 5 else u * 1
    return u, v


def kept_before(x, n):
    u, v = x.copy(), x.copy()
    keep = v
    for i in range(n):
        v[0] = i + 1
        u, v = v, u
    return u, keep


def kept_before_by_a_row(x, n):
    u, v = x.copy(), x.copy()
    keep = v[1:]
    for i in range(n):
        v[1] = i + 1
        u, v = v, u
    return u, keep.sum()


def bound_to_an_argument(x, n):
    w = x.copy()
    for _ in range(n):
        w[0] += 1
        w = x
    return w


def the_arguments_own(x, n):
    v = x * 0
    for _ in range(n):
        v[1:] = x[:-1]
        x, v = v, x
    return x


class Holder:
    pass


def in_attributes(x, n):
    o = Holder()
    o.u, o.v = x.copy(), x.copy()
    for _ in range(n):
        o.v[1:-1] = o.u[:-2] + o.u[2:]
        o.u, o.v = o.v, o.u
    return o.u


def returned_from_a_swap(x, n):
    u, v = x.copy(), x.copy()
    for _ in range(n):
        v[1:-1] = u[:-2] + u[2:]
        u, v = v, u
        if u[1] > 20:
            return u
    return v


SWAPS = [swapped, written_and_bound_anew, three_in_turn, kept_by_a_function]
KEPT = [
    *(
        swapped_at_times,
        kept_in_a_list,
        kept_by_a_name,
        kept_by_a_row,
        kept_in_a_pair,
        swapped_in_a_loop_in_a_loop,
    ),
    *(two_names_at_the_end, kept_before, kept_before_by_a_row, bound_to_an_argument, the_arguments_own),
    *(in_attributes, returned_from_a_swap),
]


@pytest.mark.parametrize("function", [*SWAPS, *KEPT])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 6])
def test_arrays_that_take_turns(function: Any, n: int) -> None:
    ours, theirs = np.arange(5.0), np.arange(5.0)
    want = function(theirs, n)
    try:
        got = ag.function(function)(ours, np.int64(n))
    except ag.StagingError as error:
        assert function in KEPT and error.code in ("AG134", "AG111", "AG113") and error.location is not None
        return
    np.testing.assert_equal(got, want)
    np.testing.assert_equal(ours, theirs)


def raveled(x, s):
    x.ravel()[1] = s
    return x * 2


def reshaped(x, s):
    x.reshape(2, -1)[0] += s
    return x


def of_a_result(x, s):
    y = x * 2 + np.ones(4)
    flat = y.reshape(-1)
    flat[:5] = s
    return y, flat


def of_a_column(x, s):
    y = np.zeros((3, 4)) + s
    y.ravel()[2:] = 7
    column = y[:, 1].reshape(-1)
    column += 1
    return y


def read_only_before(x, s):
    flat = x.ravel()
    total = flat.sum()
    x[0] = s
    return total


@pytest.mark.parametrize("function", [raveled, reshaped, of_a_result, of_a_column, read_only_before])
@pytest.mark.parametrize("order", ["C", "F"])
def test_reshapes_that_may_copy(function: Any, order: Any) -> None:
    x = np.array(np.arange(12.0).reshape(3, 4), order=order)
    ours, theirs = x.copy(order="K"), x.copy(order="K")
    want, staged = function(theirs, 5.0), ag.function(function)
    if order == "F" and function in (raveled, reshaped, of_a_result):
        with pytest.raises(ag.StagingError, match="does not lie in C order") as caught:
            staged(ours, 5.0)
        assert caught.value.code == "AG124"
        assert caught.value.location.line > function.__code__.co_firstlineno
        np.testing.assert_equal(ours, x)
        return
    np.testing.assert_equal(staged(ours, 5.0), want)
    np.testing.assert_equal(ours, theirs)


def parts_of_complex(x, s):
    z = x if x.dtype.kind == "c" else x + 1j
    z.real.ravel()[0] = s
    z.imag[1] = s
    row = z[0]
    row *= 2
    return z


@pytest.mark.parametrize("of", [float, complex])
def test_parts_of_complex_arrays(of: Any) -> None:
    x = np.arange(12.0).reshape(3, 4).astype(of)
    ours, theirs = x.copy(), x.copy()
    try:
        got = ag.function(parts_of_complex)(ours, 5.0)
    except ag.StagingError as error:
        assert error.code == "AG113"
    else:
        np.testing.assert_equal(got, parts_of_complex(theirs, 5.0))


INDEXED = (
    "x.T[i] = 1",
    "x[0][i] = 1",
    "x[0][i] += 1",
    "x[i][0] = 3",
    "x[None][0][i] = 3",
    "x[:, 1:][0, i] += 1",
    "v = x[1]; x[1] = 5; x[0] = v[i]",
    "v = x.T; x[1] = 5; x[0] = v[i].sum()",
    "v = x[1:]; v[i] = 3",
    "v = x[1:]; x[0] = 1; x[0] = v[i].sum()",
    "v = x[i]; x[0] = 5; v += 1",
)


@pytest.mark.parametrize("write", INDEXED)
def test_indices_out_of_bounds_are_those_of_the_view(write: str, tmp_path: Path) -> None:
    function = module_of(f"def f(x, i):\n    {write}\n    return x\n", tmp_path, "indexed").f
    staged = ag.function(function)
    for i in (0, 1, -1, 2, 3, 4, -4, -9, 9):
        arguments = (np.arange(12.0).reshape(3, 4), np.int64(i))
        assert outcome(staged, arguments) == outcome(function, arguments)


COPIES = (
    "np.take(x, 1, axis=0)",
    "x.take([0, 1], axis=0)",
    "np.tile(x, 1)",
    "np.roll(x, 0)",
    "np.reshape(x, (4, 3), copy=True)",
    "x[:, 1].ravel()",
    "x[0, ::-1].ravel()",
    "np.copy(x)",
    "x.flatten()",
    "x[[0, 1]]",
    "x[x > 3]",
    "np.resize(x, (2, 2))",
)


@pytest.mark.parametrize("copy", COPIES)
def test_copies_are_no_views(copy: str, tmp_path: Path) -> None:
    text = f"import numpy as np\n\n\ndef f(x):\n    y = {copy}\n    y[0] = 99\n    return x, y\n"
    function = module_of(text, tmp_path, "a_copy").f
    want = outcome(function, (np.arange(12.0).reshape(3, 4),))
    got, is_refusal = outcome_or_refusal(ag.function(function), (np.arange(12.0).reshape(3, 4),))
    assert got == want or is_refusal


@pytest.mark.parametrize(
    "function",
    [rows_divided, rows_of_for, one_row, elements_of_a_view, elements_of_rows, rows_of_a_reshape],
    ids=lambda one: one.__name__,
)
def test_a_write_costs_what_it_writes(function: Any) -> None:
    staged = ag.function(function)
    np.testing.assert_allclose(staged(np.ones((6, 4)), 1.5), function(np.ones((6, 4)), 1.5))
    # Of known sizes: a block of an array of any size is written by index arrays.
    staged = ag.function(function, static=next(iter(inspect.signature(function).parameters)))
    few, many = (staged.profile(np.ones((rows, 8)), 1.5).bytes for rows in (200, 1600))
    assert many < 9 * few  # Were the array copied for each row, it would be 64 times.


def arguments_of(random: random.Random) -> tuple[Any, ...]:
    """An array of 3 x 4, a number, an index, and how often loops run."""
    dtype = random.choice([np.float64, np.float64, np.int64, np.float32])
    array = np.arange(12.0).reshape(3, 4).astype(dtype, order=random.choice("CCCF"))
    return array, random.choice([3.0, np.float64(2), 2]), np.int64(1), np.int64(random.choice([2, 2, 0, 3]))


@pytest.mark.parametrize("part", range(PARTS))
def test_drawn_programs(part: int, tmp_path: Path) -> None:
    different, refused = [], 0
    programs = texts(part, drawn(60, whole=600))
    for number, text in enumerate(programs):
        function = module_of(HEAD + text, tmp_path, f"views_{part}_{number}").f
        arguments = arguments_of(random.Random(number))
        want = outcome(function, arguments)
        got, is_refusal = outcome_or_refusal(ag.function(function), arguments)
        refused += is_refusal and want != got
        if want != got and not is_refusal:
            different.append((text, arguments, want, got))
    assert not different
    assert refused < 0.4 * len(programs)


@pytest.mark.parametrize("made", ["a", "a.copy()", "a * 1.0", "np.zeros_like(a)", "np.zeros((3, 4))"])
@pytest.mark.parametrize(
    "write", ["row += s", "row[0] = s", "row[0] = s if a[i, 0] > 1 else -1", "row.fill(s)"]
)
def test_a_variable_is_one_row_after_the_other(made: str, write: str, tmp_path: Path) -> None:
    """What the variable was before is let go of, and not counted among the views of the array."""
    lines = [f"out = {made}", "for i in range(3):", "    row = out[i]", f"    {write}", "return out, row"]
    text = "\n    ".join(["import numpy as np\n\n\ndef f(a, s):", *lines]) + "\n"
    function = module_of(text, tmp_path, "one_after_the_other").f
    arguments = (np.arange(12.0).reshape(3, 4), 2.5)
    want = outcome(function, tuple(map(np.copy, arguments[:1])) + arguments[1:])
    assert outcome(ag.function(function), arguments) == want
