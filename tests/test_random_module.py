"""Python's ``random`` in staged functions: the draws of plain Python, in order, and its state afterwards."""

import random
import threading
from random import randint

import autograph as ag
import numpy as np
import pytest
from draws_compared import assert_draws_alike

OURS = random.Random(5)


def listed(n):
    return [random.random() for _ in range(n)]


def branched(n):
    total = 0.0
    for _ in range(n):
        if random.random() < 0.5:
            total += random.uniform(-1, 2.5)
        else:
            total += randint(1, n)
    return total


def until(n):
    total = 0.0
    for _ in range(n):
        for _ in range(n):
            if random.random() < 0.3:
                continue
            total += random.random()
        if total > 20 * random.random():
            break
    return total


def chosen(n):
    first = random.choice([1, 2, 3]) + random.choice((n, n + 1)) + random.choice(range(10))
    return first, random.choice("abc"), random.choice(np.arange(5) * n), random.choice(np.eye(3))


def shuffled(n):
    xs, x = [n, 1, 2, 3, 4], np.arange(6.0) + n
    random.shuffle(xs)
    random.shuffle(x)
    return xs, x


def shuffled_as_it_grows(n):
    xs = []
    while len(xs) < n:
        xs.append(random.randint(0, 9))
    random.shuffle(xs)
    return xs


def picked(n):
    few = random.sample(range(100), 5), random.sample([n, 2, 3, 4], 2)
    return few, random.choices([1, 2, n], weights=[n, 1, 1], k=6), random.choices("ab", k=3)


def distributed(n):
    random.seed(7)
    normal = random.gauss(0, n), random.gauss(n, 1), random.normalvariate(1, 2), random.expovariate(2.0)
    return normal, random.betavariate(1.5, 2), random.triangular(0, 1, 0.5), random.lognormvariate(0, 1)


def of_numpy_s_classes(n):
    return random.gauss(np.float64(n), 1), random.uniform(np.float32(1), 2), random.expovariate(np.float64(n))


def of_an_object(n):
    return OURS.random(), OURS.randrange(n), OURS.randrange(0, n * 3, 2), OURS.getrandbits(8)


def seeded(n):
    random.seed(int(n))
    return random.random()


def made_here(n):
    rng = random.Random(int(n))
    total = 0.0
    for i in range(n):
        total += rng.random() + random.Random(i).random()
    return total, rng.sample(range(n + 3), 2)


class Walker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.place = 0

    def step(self):
        self.place += self.rng.choice((-1, 1))
        return self.place


def made_by_objects(n):
    one, two = Walker(int(n)), Walker(int(n) + 1)
    for _ in range(n):
        one.step()
        two.step()
    return one.place, two.place


def drawn_again(k, rng):
    if k <= 0:
        return rng.random()
    first = rng.random()
    return drawn_again(k - 1, rng) + first * rng.random()


def recursive(n):
    return drawn_again(int(n), random.Random(int(n) + 1))


def failing(n):
    return random.randint(n, 0)


def of_nothing(n):
    return random.choice([])


def misused(n):
    return random.random(n)


def begin():
    random.seed(3)
    OURS.seed(4)


PROGRAMS = [
    *(listed, branched, until, chosen, shuffled, shuffled_as_it_grows, picked, distributed),
    *(of_numpy_s_classes, of_an_object, seeded, made_here, made_by_objects, recursive),
    *(failing, of_nothing, misused),
]


@pytest.mark.parametrize("n", [5, np.int64(4), np.int64(1)], ids=repr)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_runs_draw_what_plain_python_draws(program, n):
    assert_draws_alike(program, n, begin, (random.random, OURS.random))


def weighted(x):
    total = 0.0
    for _ in range(4):
        total = total + x * random.random()
    return total


def test_draws_are_constants_to_derivatives():
    random.seed(1)
    wanted = weighted(1.0)
    for derivative in (ag.grad(weighted), lambda x: ag.jvp(weighted, (x,), (1.0,))[1]):
        random.seed(1)
        assert derivative(2.0) == pytest.approx(wanted)


def drawn_until(x):
    while x < 3:
        x = x + random.random()
    return x


@pytest.mark.parametrize("function", [weighted, drawn_until])
def test_rows_do_not_share_draws(function):
    """A vectorised function draws once for all rows, where a loop over the rows draws for each."""
    with pytest.raises(ag.errors.StagingError, match="would draw once for all rows"):
        ag.vmap(function)(np.arange(3.0))


def test_a_jacobian_draws_once():
    for derivative in (ag.jacfwd, ag.jacrev):
        random.seed(1)
        numbers = [random.random() for _ in range(4)]
        random.seed(1)
        found = derivative(lambda x: weighted(np.sum(x * x)))(np.ones(2))
        np.testing.assert_allclose(found, np.full(2, 2 * sum(numbers)))


def test_each_thread_has_its_own_of_what_a_run_makes():
    def one(seed):
        rng = random.Random(int(seed))
        total = 0.0
        for _ in range(500):
            total += rng.random()
        return total

    staged, found = ag.function(one), {}
    threads = [
        threading.Thread(target=lambda k=k: found.__setitem__(k, staged(np.int64(k)))) for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: one(k) for k in range(8)}


class Drunkard:
    def __init__(self):
        self.place, self.places, self.rng = 0.0, [], random.Random(3)

    def walk(self, n):
        for _ in range(n):
            self.place += random.gauss(0, 1) * self.rng.random()
            self.places.append(self.place)
            if self.place > 1.5:
                raise ValueError("too far")
        return self.place


class StagedDrunkard(Drunkard):
    walk = ag.function(Drunkard.walk)


def test_a_call_that_fails_between_its_writes_has_drawn_once():
    found = []
    for kind in (Drunkard, StagedDrunkard):
        random.seed(11)
        one, seen = kind(), []
        for _ in range(30):
            try:
                seen.append(one.walk(np.int64(3)))
            except ValueError:
                one.place = 0.0
        found.append((repr(seen), one.place, one.places, random.random(), one.rng.random()))
    assert found[0] == found[1]
    assert len(found[0][2]) < 90, "some calls have failed"


def sorted_by_luck(xs):
    while not all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1)):
        random.shuffle(xs)
    return xs


def test_the_caller_s_list_is_shuffled():
    for xs in ([3, 1, 2], [2.5, 1.5], [1]):
        found = []
        for function in (sorted_by_luck, ag.function(sorted_by_luck)):
            random.seed(1)
            given = list(xs)
            found.append((function(given) is given, given, random.random()))
        assert found[0] == found[1]


def kept_from_before(n):
    before, total = random.Random(100), 0.0
    for i in range(n):
        now = random.Random(i)
        total += before.random()
        before = now
    return total


def kept_in_a_list(n):
    made = []
    for i in range(n):
        made.append(random.Random(i))
    return made[0].random()


def kept_by_objects(n):
    walkers = [Walker(i) for i in range(n)]
    return walkers[0].step() + walkers[n - 1].step()


def made_in_each_call(k):
    rng = random.Random(int(k))
    if k <= 0:
        return rng.random()
    first = rng.random()
    return made_in_each_call(k - 1) + first * rng.random()


REFUSED = {
    kept_from_before: ("AG131", "`before` is a Random before the loop and a Random after an iteration"),
    kept_in_a_list: ("AG121", "`made` holds a Random"),
    kept_by_objects: ("AG131", "`Walker.rng` is a Random in one object and a Random in another"),
    made_in_each_call: (
        "AG123",
        "a recursive function makes a `random.Random` in each call, and a run has one",
    ),
    lambda n: random.getrandbits(100): ("AG203", "a draw of 100 bits leaves the 64 bits of an integer"),
    lambda n: random.sample([1, 2, 3], n): ("AG123", "`random.sample` would run once, while tracing"),
    lambda n: random.getstate(): ("AG123", "`random.getstate` would run once, while tracing"),
    lambda n: random.randbytes(3): ("AG123", "`random.randbytes` would run once, while tracing"),
    lambda n: random.SystemRandom().random(): ("AG123", "`random.SystemRandom` would run once"),
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_a_run_cannot_draw_is_refused(program):
    code, words = REFUSED[program]
    with pytest.raises(ag.errors.StagingError) as caught:
        ag.function(program)(np.int64(3))
    assert caught.value.code == code
    assert words in str(caught.value)
