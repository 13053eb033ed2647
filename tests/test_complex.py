"""Programs that compute with complex numbers give what they give in plain Python, or are refused."""

from __future__ import annotations

import cmath
import copy
import dataclasses
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest

SIGNAL = np.sin(np.arange(32) * 0.7) + 0.25 * np.cos(np.arange(32) * 2.1)
NUMBERS = np.array([1 + 2j, 3 - 1j, -2j, 0.5])


def mandelbrot(c, limit):
    z, n = 0j, 0
    while abs(z) < 2 and n < limit:
        z = z * z + c
        n += 1
    return n, z


def picture(grid):
    counts = np.zeros(grid.shape, np.int64)
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            z, n = 0j, 0
            while z.real * z.real + z.imag * z.imag < 4 and n < 50:
                z = z * z + grid[row, column]
                n += 1
            counts[row, column] = n
    return counts


def newton_fractal(z, steps):
    for _ in range(steps):
        z = z - (z**3 - 1) / (3 * z**2)
    return np.argmin(np.abs(z[..., np.newaxis] - np.exp(2j * np.pi * np.arange(3) / 3)), axis=-1)


def newton_root(z):
    steps = 0
    while abs(z**3 - 1) > 1e-12:
        z = z - (z**3 - 1) / (3 * z**2)
        steps += 1
    return z, steps


def radix_two(x):
    """The transform in place: bits reversed, then butterflies."""
    result = x.astype(complex)
    size = len(x)
    j = 0
    for i in range(1, size):
        bit = size >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            saved = result[i]
            result[i] = result[j]
            result[j] = saved
    width = 2
    while width <= size:
        step = np.exp(-2j * np.pi / width)
        for start in range(0, size, width):
            turn = 1 + 0j
            for k in range(width // 2):
                upper = result[start + k]
                lower = turn * result[start + k + width // 2]
                result[start + k] = upper + lower
                result[start + k + width // 2] = upper - lower
                turn = turn * step
        width *= 2
    return result


def low_pass(signal, cutoff):
    spectrum = np.fft.rfft(signal)
    for k in range(len(spectrum)):
        if k > cutoff:
            spectrum[k] = 0
    return np.fft.irfft(spectrum, len(signal))


def power_spectrum(signal):
    spectrum = np.fft.rfft(signal * np.hanning(len(signal)))
    power = np.abs(spectrum) ** 2
    return power, np.fft.rfftfreq(len(signal))[np.argmax(power)], 10 * np.log10(power + 1e-12)


def durand_kerner(coefficients, rounds):
    degree = len(coefficients) - 1
    roots = (0.4 + 0.9j) ** np.arange(degree)
    for _ in range(rounds):
        for i in range(degree):
            others = 1 + 0j
            for k in range(degree):
                if k != i:
                    others = others * (roots[i] - roots[k])
            roots[i] = roots[i] - np.polyval(coefficients, roots[i]) / (coefficients[0] * others)
    return np.sort(roots.real), np.sum(roots)


def rotate(z, times):
    return z if times <= 0 else rotate(z * 1j, times - 1)


def first_large(z, bound):
    for value in z:
        if abs(value) > bound:
            return value
    return None


def collected(z, count):
    kept = []
    for i in range(count):
        if z[i].imag != 0:
            kept.append(z[i] * 2)
    return kept, np.array(kept)


def joined(z, flag):
    return z[0] if flag > 0 else z.real[1]


def written(z, value):
    z[0] = value
    z[1:] *= 1j
    z.imag[2] = 7
    return z.sum()


def state_in_tuple(z, count):
    pair = (z[0], 0)
    while pair[1] < count:
        pair = (pair[0] * pair[0].conjugate() + 1j, pair[1] + 1)
    return pair


def of_python(z, w):
    return z + w, z - w, z * w, z / w, z**2, z**-3, -z, abs(z), z.conjugate(), z == w, z != w, not z, z**0.5


def attributes(z):
    return z.real, z.imag, z.T, z.shape, z.conj(), z.dtype, z.size, z.ndim, len(z), z.mean(), z.copy()


class Wave(NamedTuple):
    amplitude: complex
    samples: Any


def of_tree(wave):
    return Wave(wave.amplitude * 2, wave.samples.conj()), {"energy": np.vdot(wave.samples, wave.samples)}


OUTSIDE = np.array([1j, 2, 3 - 1j, 0.25])


def captured(x):
    return x * OUTSIDE + (2 - 1j)


CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    (mandelbrot, (0.3 + 0.5j, np.int64(60))),
    (mandelbrot, (np.complex128(0.3 + 0.6j), np.int64(60))),
    (picture, (np.linspace(-2, 1, 9)[np.newaxis, :] + 1j * np.linspace(-1, 1, 7)[:, np.newaxis],)),
    (newton_fractal, (np.linspace(-1, 1, 6) + 1j * np.linspace(-1, 1.1, 5)[:, np.newaxis], np.int64(30))),
    (newton_root, (-0.5 + 0.9j,)),
    (newton_root, (np.complex128(-0.5 - 0.4j),)),
    (radix_two, (SIGNAL,)),
    (radix_two, (SIGNAL[:8] + 0.5j,)),
    (low_pass, (SIGNAL, np.int64(4))),
    (low_pass, (SIGNAL[:31], np.int64(2))),
    (power_spectrum, (SIGNAL,)),
    (durand_kerner, (np.array([1.0, -6, 11, -6]), np.int64(40))),
    (rotate, (1 + 2j, np.int64(5))),
    (rotate, (NUMBERS, np.int64(3))),
    (first_large, (NUMBERS, 3.0)),
    (first_large, (NUMBERS, 30.0)),
    (collected, (NUMBERS, np.int64(4))),
    (joined, (NUMBERS, np.int64(1))),
    (written, (NUMBERS, 2.5)),
    (written, (NUMBERS, np.complex64(1 - 2j))),
    (written, (NUMBERS.astype(np.complex64), 1j)),
    (state_in_tuple, (NUMBERS, np.int64(2))),
    (of_python, (1.5 - 2j, 0.5 + 1j)),
    (of_python, (np.complex128(1.5 - 2j), 0.5 + 1j)),
    (attributes, (NUMBERS,)),
    (of_tree, (Wave(1 + 1j, NUMBERS),)),
    (captured, (np.arange(4.0),)),
]


def same(got: Any, want: Any) -> None:
    assert type(got) is type(want)
    if isinstance(want, dict):
        assert got.keys() == want.keys()
        got, want = list(got.values()), list(want.values())
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            same(one, other)
    elif isinstance(want, (np.ndarray, np.generic)):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        rtol = 1e-5 if want.dtype == np.complex64 else 1e-9
        np.testing.assert_allclose(got, want, rtol=rtol, atol=1e-9)
    elif isinstance(want, (float, complex)):
        assert cmath.isclose(got, want, rel_tol=1e-9, abs_tol=1e-9)
    else:
        assert got == want


@pytest.mark.parametrize(("function", "args"), CALLS, ids=[call[0].__name__ for call in CALLS])
def test_program(function: Any, args: tuple[Any, ...]) -> None:
    plain_args, staged_args, interpreted_args = (copy.deepcopy(args) for _ in range(3))
    want = function(*plain_args)
    staged = ag.function(function)
    same(staged(*staged_args), want)
    same(staged_args, plain_args)  # What was written in place was written.
    same(staged.concrete_function(*interpreted_args).interpret(list(leaves(interpreted_args))), want)


def leaves(value: Any) -> list[Any]:
    found: list[Any] = []
    for part in value:
        found += leaves(part) if isinstance(part, tuple) else [part]
    return found


def test_arguments_of_one_kind_are_traced_once() -> None:
    staged = ag.function(lambda z, w: z * w)
    assert staged(1j, 2 + 1j) == 1j * (2 + 1j) and staged(3j, 1 + 0j) == 3j
    assert staged.signatures() == ["(z: complex, w: complex)"]
    staged(NUMBERS, np.complex64(1j))
    assert staged.signatures()[1] == "(z: c128[4], w: c64)"


def test_an_argument_that_comes_back_is_the_same_object() -> None:
    assert ag.function(lambda z: z)(NUMBERS) is NUMBERS
    copied = ag.function(lambda z: z.copy())(NUMBERS)
    assert copied is not NUMBERS and not np.shares_memory(copied, NUMBERS)
    assert ag.function(lambda z: z.conj().conj())(NUMBERS) is not NUMBERS


def test_a_real_array_is_not_shared_with_a_complex_one_of_it() -> None:
    def program(x):
        z = x.astype(complex)
        z.real[0] = 9
        return x, z

    x = np.arange(3.0)
    got = ag.function(program)(x)
    assert x[0] == 0 and got[1][0] == 9


EXPONENTS = [0, 1, 2, -1, -3, 7, 99, 100, 101, 2.5, -2.0, np.float64(3)]


@pytest.mark.parametrize("exponent", EXPONENTS, ids=repr)
def test_powers_of_python_numbers(exponent: Any) -> None:
    for z in (1 + 2j, -1.5 + 0j, 0.25j):
        want = z**exponent
        for options in ({}, {"dynamic": "n"}):
            got = ag.function(lambda z, n: z**n, **options)(z, exponent)
            assert type(got) is complex and cmath.isclose(got, want, rel_tol=1e-14)
            if abs(exponent) < 100:
                assert str(got) == str(want) or exponent == 2.5


def test_powers_of_arrays() -> None:
    program = lambda z, n: (z**n, z ** np.int64(3), z**2, z**-1, z**0.5, z ** np.array([1, 2, -3, 150]))  # noqa: E731
    for exponent in (np.int64(5), np.float64(-2), np.array([0.5, 2, 3, -1])):
        same(ag.function(program)(NUMBERS, exponent), program(NUMBERS, exponent))
    small = NUMBERS.real.astype(np.float32) + NUMBERS.imag.astype(np.float32) * np.complex64(1j)
    same(ag.function(program)(small, np.float32(2)), program(small, np.float32(2)))


def test_an_np_float64_is_a_float_to_a_python_complex() -> None:
    def program(z, x):
        return z * x, x * z, z + x, z / x, z**x, z == x, z - np.float64(2), 1j * x

    same(ag.function(program)(1.5 + 2j, np.float64(3)), program(1.5 + 2j, np.float64(3)))
    same(ag.function(program)(1.5 + 2j, np.float32(3)), program(1.5 + 2j, np.float32(3)))


def test_signs_of_zeros_are_kept() -> None:
    staged = ag.function(lambda z: (z, -z, z.conjugate(), 1 / (z + 1)))
    for z in (complex(0.0, -0.0), complex(-0.0, 0.0), -1.5 + 0j):
        assert repr(staged(z)) == repr((z, -z, z.conjugate(), 1 / (z + 1)))


def test_constants_are_told_apart() -> None:
    staged = ag.function(lambda x, c: x * c, static="c")
    assert staged(2.0, 1j) == 2j and staged(2.0, 2j) == 4j
    assert staged.signatures() == ["(x: float, c: 1j)", "(x: float, c: 2j)"]


def test_callbacks_take_complex_arguments() -> None:
    @ag.py_function(result=float)
    def size(z: Any) -> float:
        assert not isinstance(z, np.ndarray) or not z.flags.writeable
        return float(np.sum(np.abs(z)))

    staged = ag.function(lambda z, w: size(z) + size(w * 2))
    assert staged(3 + 4j, NUMBERS) == 5 + np.sum(np.abs(NUMBERS * 2))


def test_callbacks_give_complex_results() -> None:
    @ag.py_function(result=ag.ArraySpec((4,), np.complex128))
    def turned(x: Any) -> Any:
        return x * 1j

    @ag.py_function
    def number(x: Any) -> complex:
        return complex(x, 1)

    same(ag.function(lambda x: turned(x) + 1)(np.arange(4.0)), np.arange(4.0) * 1j + 1)
    same(ag.function(lambda x: number(x) * 2)(1.5), 3 + 2j)


def test_declared_elements() -> None:
    def program(z, n):
        kept = []
        ag.set_element_type(kept, complex, ())
        for i in range(n):
            kept.append(z)
        return kept

    assert ag.function(program)(1j, np.int64(0)) == [] and ag.function(program)(1j, np.int64(2)) == [1j, 1j]


@dataclasses.dataclass
class Link:
    value: Any
    following: Any = None


def test_fields_of_nodes() -> None:
    def total(link):
        result = 0j
        while link is not None:
            result += link.value
            link = link.following
        return result

    staged = ag.function(total)
    for values in ((1j, 2 + 1j), (2j, 2j), (1.5, 1j)):
        assert staged(Link(values[0], Link(values[1]))) == sum(values)


def test_text_is_that_of_plain_python(capsys: pytest.CaptureFixture[str]) -> None:
    def program(z, a):
        print(z, a, f"{z:.2f} {z!r}", a[0])

    program(1.5 + 2j, NUMBERS)
    want = capsys.readouterr().out
    ag.function(program)(1.5 + 2j, NUMBERS)
    assert capsys.readouterr().out == want


CMATH = (
    "exp sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh log10 log phase polar isfinite"
    " isinf isnan"
)


@pytest.mark.parametrize("name", CMATH.split())
def test_functions_of_cmath(name: str) -> None:
    function = getattr(cmath, name)
    staged = ag.function(lambda z: function(z))
    for z in (1 + 2j, -1.5 - 0.25j, 0.5 + 0j, -0.5j, 3 + 0.1j, 1.5 + 0j, -4 + 0j, 30 + 1j):
        same(staged(z), function(z))
    same(ag.function(lambda x: function(x))(0.25), function(0.25))


def test_more_of_cmath() -> None:
    same(ag.function(lambda r, phi: cmath.rect(r, phi))(2.0, 0.5), cmath.rect(2.0, 0.5))
    same(ag.function(lambda z: cmath.log(z, 2))(2 + 1j), cmath.log(2 + 1j, 2))
    same(ag.function(lambda z: cmath.sqrt(z))(-4.0), 2j)


SPECIAL = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -2.0, 1e300, -1e-300, 710.0, -745.0])
TRANSCENDENTAL = [np.exp, np.log, np.sqrt, np.log10, np.log2, np.arcsin, np.arccos, np.arcsinh, np.sign]
ARITHMETIC = [np.add, np.subtract, np.divide, np.maximum, np.minimum, np.fmax, np.fmin, np.less, np.equal]


@pytest.mark.parametrize("ufunc", TRANSCENDENTAL, ids=lambda ufunc: ufunc.__name__)
def test_limits(ufunc: np.ufunc) -> None:
    """Both parts, also where one is infinite or no number."""
    z = SPECIAL[:, np.newaxis] + np.zeros(SPECIAL.size, complex)
    z.imag = SPECIAL
    with np.errstate(all="ignore"):
        want = ufunc(z)
    got = ag.function(lambda v: ufunc(v))(z)
    for one, other in ((got.real, want.real), (got.imag, want.imag)):
        np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-320)


@pytest.mark.parametrize("ufunc", ARITHMETIC, ids=lambda ufunc: ufunc.__name__)
def test_limits_of_two(ufunc: np.ufunc) -> None:
    z = (SPECIAL[:, np.newaxis] + np.zeros(SPECIAL.size, complex)).ravel()
    z.imag = np.tile(SPECIAL, SPECIAL.size)
    a, b = np.repeat(z, z.size), np.tile(z, z.size)
    with np.errstate(all="ignore"):
        want = ufunc(a, b)
    got = ag.function(lambda v, w: ufunc(v, w))(a, b)
    for one, other in ((got.real, want.real), (got.imag, want.imag)):
        np.testing.assert_allclose(one, other, rtol=1e-13)


ACCURATE = (
    "exp log sqrt sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh log1p expm1"
    " log2 log10 exp2 square reciprocal sign absolute conjugate negative positive isnan isinf isfinite rint"
    " logical_not"
)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ACCURATE.split())
def test_element_wise_functions(name: str, dtype: Any) -> None:
    """To a few units in the last place, near branch points and axes too."""
    random = np.random.default_rng(4)
    ends = np.array([0.0, -0.0, 1, -1, 2, 0.5])
    sizes = np.concatenate([random.normal(size=200) * 10.0 ** random.integers(-8, 3, 200), ends])
    z = np.empty(4 * sizes.size, dtype)
    z.real, z.imag = random.permutation(np.tile(sizes, 4)), random.permutation(np.tile(sizes, 4))
    ufunc = getattr(np, name)
    with np.errstate(all="ignore"):
        want = ufunc(z)
    got = ag.function(lambda v: ufunc(v))(z)
    assert got.dtype == want.dtype
    if want.dtype.kind == "b":
        np.testing.assert_array_equal(got, want)
        return
    is_number = np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(got), is_number)
    np.testing.assert_allclose(got[is_number], want[is_number], rtol=16 * np.finfo(dtype).eps)


FAILING: list[tuple[Any, tuple[Any, ...]]] = [
    (lambda z: 1 / z, (0j,)),
    (lambda z: z**-1, (0j,)),
    (lambda z, w: z**w, (0j, -1j)),
    (lambda z: z**9.5, (1e200 + 1j,)),
    (lambda z: abs(z), (complex(1.7e308, 1.7e308),)),
    (lambda z: z < 1, (1j,)),
    (lambda z: z // 2, (1j,)),
    (lambda z: z % 2, (1j,)),
    (lambda z: ~z, (1j,)),
    (lambda z: int(z), (1j,)),
    (lambda z: float(z), (1j,)),
    (lambda z: cmath.log(z), (0j,)),
    (lambda z: cmath.exp(z), (1000 + 1j,)),
    (lambda z: cmath.atanh(z), (1 + 0j,)),
    (lambda z: cmath.rect(z, 1.0), (1j,)),
    (lambda z: z.shape, (1j,)),
    (lambda z: z[0], (1j,)),
    (lambda z: np.linalg.solve(z, z), (np.zeros((2, 2), complex),)),
    (lambda z: np.fft.fft(z, 0), (NUMBERS,)),
    (lambda z: np.fft.fft(z, norm="none"), (NUMBERS,)),
    (lambda z: np.fft.fft(z, axis=3), (NUMBERS,)),
    (lambda z: np.fft.fftn(z, (2, 2), axes=(0,)), (NUMBERS,)),
    (lambda z: np.fft.rfft(z), (NUMBERS,)),
]


@pytest.mark.parametrize(("function", "args"), FAILING)
def test_failures_are_of_the_same_class(function: Any, args: tuple[Any, ...]) -> None:
    with pytest.raises(Exception) as plain, np.errstate(all="ignore"):
        function(*args)
    with pytest.raises(type(plain.value)) as staged:
        ag.function(function)(*args)
    if isinstance(plain.value, (ArithmeticError, ValueError)):
        assert str(plain.value) in str(staged.value)


REFUSED: list[Any] = [
    lambda z: np.ptp(z),
    lambda z: np.searchsorted(z, z),
    lambda z: np.median(z),
    lambda z: np.floor(z),
    lambda z: np.unique(z),
    lambda z: np.cbrt(z),
    lambda z: np.arctan2(z, z),
    lambda z: z.astype(float),
    lambda z: np.array(z, dtype=float),
    lambda z: np.sum(z, dtype=float),
    lambda z: np.real_if_close(z),
    lambda z: np.maximum.reduceat(z, [0]),
    lambda z: np.zeros(3).__setitem__(0, z[0]),
]


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_not_staged_is_refused(function: Any) -> None:
    with pytest.raises((ag.StagingError, TypeError)):
        ag.function(function)(NUMBERS)


def written_through_a_view(z):
    view = z[1:]
    view[0] = 1j
    return z, view


def read_after_a_write(z):
    view = z[1:]
    z[1] = 1j
    return view + 1


@pytest.mark.parametrize("program", [written_through_a_view, read_after_a_write])
def test_views(program: Any) -> None:
    ours, theirs = NUMBERS.copy(), NUMBERS.copy()
    np.testing.assert_equal(ag.function(program)(ours), program(theirs))
    np.testing.assert_equal(ours, theirs)


def test_arrays_that_share_memory_may_not_be_written() -> None:
    def program(z, w):
        z[0] = 1j
        return w.sum()

    z = NUMBERS.copy()
    with pytest.raises(ag.StagingError, match="AG124"):
        ag.function(program)(z, z[::-1])
    with pytest.raises(ag.StagingError, match="AG124"):
        ag.function(program)(z, z.real)
