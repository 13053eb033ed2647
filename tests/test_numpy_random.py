"""Draws of `np.random.Generator` in staged functions: distributions, streams, order, refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

COUNT = 20_000


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def both(function: Callable[..., Any], *args: Any, units: int = 0) -> Any:
    """What the engine gives with a fresh generator; the interpreter gives the same, but for so many units of
    the last place."""
    staged = ag.function(function)
    leaves, concrete = staged._specialise((rng(), *args), {})
    got = concrete(leaves)
    leaves, _ = staged._specialise((rng(), *args), {})
    again = concrete.interpret(leaves)
    if units:
        np.testing.assert_array_max_ulp(got, again, units)
    else:
        assert np.asarray(got).tobytes() == np.asarray(again).tobytes()
    return got


def normal_cdf(x: Any) -> Any:
    return np.array([0.5 * math.erfc(-one / math.sqrt(2.0)) for one in x])


CONTINUOUS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "random": (lambda g: g.random(COUNT), lambda x: x),
    "random of float32": (lambda g: g.random(COUNT, dtype=np.float32), lambda x: x),
    "uniform": (lambda g: g.uniform(-2.0, 3.0, COUNT), lambda x: (x + 2.0) / 5.0),
    "standard_normal": (lambda g: g.standard_normal(COUNT), normal_cdf),
    "normal": (lambda g: g.normal(1.0, 2.0, (COUNT // 2, 2)), lambda x: normal_cdf((x - 1.0) / 2.0)),
    "lognormal": (lambda g: g.lognormal(0.0, 1.0, COUNT), lambda x: normal_cdf(np.log(x))),
    "exponential": (lambda g: g.exponential(3.0, COUNT), lambda x: 1.0 - np.exp(-x / 3.0)),
    "standard_exponential": (lambda g: g.standard_exponential(COUNT), lambda x: 1.0 - np.exp(-x)),
    "rayleigh": (lambda g: g.rayleigh(2.0, COUNT), lambda x: 1.0 - np.exp(-x * x / 8.0)),
    "weibull": (lambda g: g.weibull(2.0, COUNT), lambda x: 1.0 - np.exp(-x * x)),
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_distribution(name: str) -> None:
    draw, cumulative = CONTINUOUS[name]
    numbers = ag.function(draw)(rng(7))
    plain = draw(rng(7))
    assert numbers.dtype == plain.dtype and numbers.shape == plain.shape
    ranks = cumulative(np.sort(numbers.ravel()).astype(np.float64))
    distance = np.max(np.abs(ranks - (np.arange(COUNT) + 0.5) / COUNT))
    assert distance < 1.95 / math.sqrt(COUNT)  # Kolmogorov's distance: 0.1 % are further.
    spread = 4.0 / math.sqrt(COUNT)
    assert abs(ranks.mean() - 0.5) < spread / math.sqrt(12.0)
    assert abs(ranks.var() - 1.0 / 12.0) < spread / math.sqrt(180.0)
    assert abs(np.corrcoef(numbers.ravel()[1:], numbers.ravel()[:-1])[0, 1]) < spread


@pytest.mark.parametrize("name", [*CONTINUOUS, "integers"])
def test_interpreter_and_engine_agree_to_the_bit(name: str) -> None:
    draw = CONTINUOUS[name][0] if name in CONTINUOUS else lambda g: g.integers(0, 10, 100)
    # Of draws the exponential function is taken by each in its own way, right to a unit.
    both(draw, units=2 if name == "lognormal" else 0)


def chi_square(counts: Any, expected: Any) -> float:
    return float(np.sum((counts - expected) ** 2 / expected))


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
def test_integers(dtype: str) -> None:
    numbers = both(lambda g: g.integers(3, 13, COUNT, dtype=dtype))
    assert numbers.dtype == dtype and set(numbers.tolist()) == set(range(3, 13))
    assert chi_square(np.bincount(numbers)[3:], COUNT / 10) < 27.9  # 9 degrees: 0.1 % are beyond.


def test_integers_are_unbiased_where_words_are_drawn_again() -> None:
    range_ = 3 * 2**61  # A quarter of the words would favour a third of the numbers.
    numbers = both(lambda g: g.integers(-(2**62), -(2**62) + range_, COUNT))
    thirds = np.bincount((numbers + 2**62) // 2**61, minlength=3)
    assert chi_square(thirds, COUNT / 3) < 13.8


def test_integers_take_all_of_64_bits_and_bounds_of_arrays() -> None:
    ends = np.iinfo(np.int64)
    wide = both(lambda g: g.integers(ends.min, ends.max, 1000, endpoint=True))
    assert wide.min() < -(2**62) and wide.max() > 2**62
    assert both(lambda g: g.integers(5, 6, 3)).tolist() == [5, 5, 5]
    bounded = both(lambda g, low: g.integers(low, low + 2, (500, 3)), np.array([0, 10, 20]))
    assert bounded.min(axis=0).tolist() == [0, 10, 20] and bounded.max(axis=0).tolist() == [1, 11, 21]


def test_choice_with_and_without_putting_back() -> None:
    weights = np.array([0.5, 0.0, 0.2, 0.3])
    picks = both(lambda g, p: g.choice(4, COUNT, p=p), weights)
    counts = np.bincount(picks, minlength=4)
    assert counts[1] == 0 and chi_square(counts[[0, 2, 3]], COUNT * weights[[0, 2, 3]]) < 13.8
    values = np.array([2.0, 3.0, 5.0, 7.0])
    assert set(both(lambda g, x: g.choice(x, 100), values).tolist()) == set(values.tolist())
    sample = both(lambda g, x: g.choice(x, 3, replace=False), values)
    assert len(set(sample.tolist())) == 3 and set(sample.tolist()) <= set(values.tolist())


def test_permutations_are_all_alike_likely() -> None:
    def many(g: Any) -> Any:
        found = np.zeros(6, np.int64)
        for _ in range(600):
            a, b, c = g.permutation(3)
            found[a * 2 + np.where(b > c, 1, 0)] += 1
        return found

    counts = ag.function(many)(rng())
    assert counts.sum() == 600 and chi_square(counts, 100.0) < 20.5


def test_shuffle_is_in_place() -> None:
    x = np.arange(20.0)
    ag.function(lambda g, x: g.shuffle(x))(rng(), x)
    assert x.tolist() != list(range(20)) and sorted(x.tolist()) == list(range(20))


def test_scalars_are_what_numpy_gives() -> None:
    def scalars(g: Any) -> Any:
        return g.random(), g.normal(), g.uniform(1, 2), g.integers(3), g.choice([0.5, 1.5])

    got, plain = ag.function(scalars)(rng()), scalars(rng())
    assert [type(one) for one in got] == [type(one) for one in plain]


# Streams


def draw_three(g: Any) -> Any:
    return g.random(3)


def test_a_seed_gives_the_same_numbers_and_a_generator_goes_on() -> None:
    staged = ag.function(draw_three)
    first = staged(rng(0))
    assert staged(rng(0)).tolist() == first.tolist() != staged(rng(1)).tolist()
    assert len(staged._cache) == 1
    generator = rng(0)
    one, two = staged(generator), staged(generator)
    assert one.tolist() == first.tolist() and not set(one) & set(two)
    together = ag.function(lambda g: g.random(6))(rng(0))
    assert together.tolist() == [*one, *two]


def test_numpys_own_stream_is_not_touched() -> None:
    generator = rng(0)
    ag.function(draw_three)(generator)
    assert generator.random() == rng(0).random()


def test_a_generator_made_inside_is_that_of_its_seed() -> None:
    def inside() -> Any:
        return np.random.default_rng(5).random(3)

    staged = ag.function(inside)
    assert staged().tolist() == staged().tolist() == ag.function(draw_three)(rng(5)).tolist()


OUTSIDE = rng(3)


class Sampler:
    def __init__(self) -> None:
        self.rng = rng(4)

    @ag.function
    def draw(self) -> Any:
        return self.rng.random(2)


def test_generators_that_are_no_arguments() -> None:
    @ag.function
    def draw(x: Any) -> Any:
        if x > 0:
            x = x + OUTSIDE.random()
        return x

    numbers = [draw(np.float64(1.0)) for _ in range(3)]
    assert len(set(numbers)) == 3
    sampler = Sampler()
    assert not set(sampler.draw()) & set(sampler.draw())


def test_one_generator_in_two_arguments_is_one_stream() -> None:
    @ag.function
    def draw(g: Any, h: Any) -> Any:
        return g.random(), h.random()

    generator = rng()
    one, two = draw(generator, generator)
    assert one != two
    assert draw(rng(), rng())[0] == draw(rng(), rng())[1]


def test_an_argument_that_comes_back_is_itself() -> None:
    staged = ag.function(lambda g: (g, g.random()))
    staged(rng())
    generator = rng()
    assert staged(generator)[0] is generator


# Order


def test_a_draw_in_a_branch_counts_only_where_it_ran() -> None:
    @ag.function
    def draw(g: Any, x: Any) -> Any:
        if x > 0:
            x = x + g.random()
        return g.random(2)

    a, b, c = ag.function(draw_three)(rng())
    assert draw(rng(), np.float64(-1.0)).tolist() == [a, b]
    assert draw(rng(), np.float64(1.0)).tolist() == [b, c]


def test_every_iteration_draws_another_number() -> None:
    def loops(g: Any, n: Any) -> Any:
        xs, i = np.zeros(6), 0
        while i < n:
            xs[i] = g.random()
            i += 1
        for k in range(n):
            xs[k + 3] = g.random()
        return xs

    assert both(loops, np.int64(3)).tolist() == ag.function(lambda g: g.random(6))(rng()).tolist()


def test_a_generator_made_before_a_loop_goes_on_in_it() -> None:
    @ag.function
    def total(n: Any) -> Any:
        g = np.random.default_rng(0)
        numbers = np.zeros(4)
        for k in range(n):
            if k % 2 == 0:
                numbers[k] = g.random()
        return numbers, g.random()

    a, b, c = ag.function(draw_three)(rng())
    numbers, last = total(np.int64(4))
    assert numbers.tolist() == [a, 0.0, b, 0.0] and last == c


def test_callees_draw_from_the_same_stream() -> None:
    def noise(g: Any) -> Any:
        return g.random()

    @ag.function
    def pair(g: Any) -> Any:
        return noise(g), noise(g)

    assert list(pair(rng())) == ag.function(draw_three)(rng()).tolist()[:2]


def test_a_metropolis_sampler_finds_its_distribution() -> None:
    @ag.function
    def sample(n: Any, g: Any) -> Any:
        x, total, squares = 0.0, 0.0, 0.0
        for _ in range(n):
            proposal = x + g.normal(0.0, 2.0)
            if np.log(g.random()) < 0.5 * (x * x - proposal * proposal):
                x = proposal
            total += x
            squares += x * x
        return total / n, squares / n

    mean, square = sample(np.int64(100_000), rng())
    assert abs(mean) < 0.03 and abs(square - 1.0) < 0.04


# Refusals


def test_parameters_are_checked_as_numpy_checks_them() -> None:
    for function in (
        lambda g: g.normal(0.0, -1.0),
        lambda g: g.integers(3, 3),
        lambda g: g.choice(3, 4, replace=False),
        lambda g: g.random(-1),
        lambda g: g.uniform(0.0, np.inf),
        lambda g: g.normal(np.zeros(2), 1.0, 3),
    ):
        with pytest.raises((ValueError, OverflowError)) as want:
            function(rng())
        with pytest.raises(type(want.value)):
            ag.function(function)(rng())
    for name, bad in (("normal", -1.0), ("exponential", -1.0), ("integers", 0)):
        with pytest.raises(ValueError) as caught:
            ag.function(lambda g, x: getattr(g, name)(*((0, x) if name != "exponential" else (x,))))(
                rng(), np.asarray(bad)[()]
            )
        assert type(caught.value) is ValueError and ag.errors.place_of(caught.value) is not None


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (lambda x: np.random.get_state()[2], "AG123"),
        (lambda x: np.random.default_rng().random(), "AG123"),
        (lambda x: np.random.Generator(np.random.PCG64(1)).random(), "AG123"),
        (lambda x: np.random.default_rng(x), "AG101"),
        (lambda x: np.random.default_rng(1), "AG120"),
        (lambda x: np.random.default_rng(1).beta(1.0, 2.0), "AG107"),
        (lambda x: np.random.default_rng(1).bit_generator, "AG107"),
    ],
)
def test_refusals(function: Any, code: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)(np.int64(1))
    assert caught.value.code == code
