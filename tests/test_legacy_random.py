"""``np.random.rand`` and its like: the draws of plain NumPy, in its order, and its state afterwards."""

import autograph as ag
import numpy as np
import pytest
from draws_compared import assert_draws_alike

OURS = np.random.RandomState(5)


def sizes(n):
    numbers = np.random.rand(), np.random.random_sample(), np.random.standard_normal(), np.random.ranf()
    arrays = np.random.rand(3, 2), np.random.randn(2), np.random.random((2, 2)), np.random.sample(3)
    return numbers, arrays, np.random.normal(size=(0,)), np.random.rand(0, 3)


def branched(n):
    total = 0.0
    for _ in range(n):
        if np.random.rand() < 0.5:
            total += np.random.normal(total, 1)
        else:
            total += np.random.randint(0, n)
    return total


def of_staged_parameters(n):
    first = np.random.normal(n, 2.0, size=3), np.random.uniform(np.ones(3) * n, 9), np.random.poisson(n)
    return first, np.random.binomial(10, 0.3, 4), np.random.exponential(size=(2, 1)), np.random.gamma(2.0, n)


def integers(n):
    np.random.seed(3)
    some = np.random.randint(5), np.random.randint(2, 9, size=4), np.random.randint(n, 100)
    bytes_ = np.random.randint(0, 255, 3, dtype=np.uint8), np.random.randint(0, 255, 3, dtype="int32")
    return some, np.random.randint([1, n, 5]), bytes_


def chosen(n):
    one = np.random.choice(5), np.random.choice([1.5, 2.5, n]), np.random.choice(n)
    few = np.random.choice(np.arange(10) * n, 3, replace=False)
    return one, few, np.random.choice(3, 5, p=[0.2, 0.3, 0.5]), np.random.choice(np.arange(3.0), (2, 2))


def shuffled(n):
    x, xs, y = np.arange(6.0) * n, [n, 1, 2], np.arange(12).reshape(4, 3) + n
    for one in (x, xs, y):
        np.random.shuffle(one)
    return x, xs, y, np.random.permutation(5), *map(np.random.permutation, (x, y, [1, n, 3]))


def of_an_object(n):
    return OURS.normal(), OURS.rand(2), OURS.randint(3), OURS.choice(4), OURS.permutation(3)


def seeded(n):
    np.random.seed(n)
    return np.random.rand()


def distributed(n):
    some = np.random.beta(1, 2, size=2), np.random.lognormal(), np.random.triangular(0, 1, 2)
    many = np.random.multivariate_normal([0.0, n], [[1, 0.5], [0.5, 2]]), np.random.dirichlet([1.0, 2, n])
    return some, many, np.random.multinomial(5, [0.2, 0.8]), np.random.standard_t(3)


def counted(n):
    counts = np.zeros(4)
    for _ in range(n * 3):
        counts[np.random.randint(4)] += np.random.rand()
    return counts


def made_here(n):
    rng, total = np.random.RandomState(n), 0.0
    for i in range(n):
        total += rng.normal() + np.random.RandomState(i).rand()
    return total, rng.choice(5), rng.permutation(4)


def of_a_wrong_scale(n):
    return np.random.normal(0, -1)


def of_a_wrong_scale_of_the_run(n):
    return np.random.normal(0, -n)


def of_nothing(n):
    return np.random.choice([])


def between_wrong_bounds(n):
    return np.random.randint(n, n - 2)


def begin():
    np.random.seed(3)
    OURS.seed(4)


PROGRAMS = [
    *(sizes, branched, of_staged_parameters, integers, chosen, shuffled, of_an_object, seeded, distributed),
    *(counted, made_here, of_a_wrong_scale, of_a_wrong_scale_of_the_run, of_nothing, between_wrong_bounds),
]


@pytest.mark.parametrize("n", [5, np.int64(4), np.int64(1)], ids=repr)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_runs_draw_what_plain_numpy_draws(program, n):
    assert_draws_alike(program, n, begin, (np.random.rand, OURS.rand))


class Sampler:
    """Metropolis' algorithm, which keeps what it has seen."""

    def __init__(self):
        self.place, self.seen = 0.0, []

    def run(self, count):
        for _ in range(count):
            new = self.place + np.random.normal()
            if np.random.rand() < np.exp(self.place**2 - new**2):
                self.place = new
            self.seen.append(self.place)
            if abs(self.place) > 1.5:
                raise ValueError("far away")


class StagedSampler(Sampler):
    run = ag.function(Sampler.run)


def test_a_call_that_fails_between_its_writes_has_drawn_once():
    found = []
    for kind in (Sampler, StagedSampler):
        np.random.seed(11)
        sampler = kind()
        for _ in range(30):
            try:
                sampler.run(np.int64(20))
            except ValueError:
                sampler.place = 0.0
        found.append((sampler.place, sampler.seen, np.random.rand()))
    assert found[0] == found[1]
    assert len(found[0][1]) < 600, "some calls have failed"


def noisy(x):
    return np.sum(x * np.random.normal(size=3))


def test_draws_are_constants_to_derivatives():
    np.random.seed(1)
    wanted = np.random.normal(size=3)
    np.random.seed(1)
    np.testing.assert_array_equal(ag.grad(noisy)(np.ones(3)), wanted)


REFUSED = {
    lambda n: np.random.rand(n): "`numpy.random.rand` would run once, while tracing",
    lambda n: np.random.normal(size=(2, n)): "`numpy.random.normal` would run once, while tracing",
    lambda n: np.random.get_state()[2]: "`numpy.random.get_state` would run once, while tracing",
    lambda n: np.random.bytes(3): "`numpy.random.bytes` would run once, while tracing",
}


@pytest.mark.parametrize("program", REFUSED)
def test_what_a_run_cannot_draw_is_refused(program):
    with pytest.raises(ag.errors.StagingError) as caught:
        ag.function(program)(np.int64(3))
    assert caught.value.code == "AG123"
    assert REFUSED[program] in str(caught.value)
