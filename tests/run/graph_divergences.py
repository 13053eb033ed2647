# run: closure_reads_late(np.arange(3))
# run: chained_side_effects(np.int64(5))
# run: test_side_effects(np.int64(3))
# run: python_int_grows(np.int64(12)) == 1000000000000
# raises: no_iteration(np.int64(0)) UnboundLocalError
# run: no_iteration(np.int64(2)) == 1
# run: not_taken(np.float64(-1.0)) == (0, 0)
# run: five_times(np.int64(5)) == 5
# run: frozen_default(np.float64(2.0))
# run: early_return_in_a_loop(np.array([1, 5, 7]))
# run: early_return_in_a_loop(np.array([1, 1, 1])) == -1
# run: endless_with_a_break(np.float64(100.0))
# run: ints_as_conditions(np.int64(3), np.int64(0))
# run: int_and_float(np.arange(4))
# run: enumerate_and_zip(np.arange(3.0), np.arange(3.0) * 2)
# run: one_branch_defines(np.float64(1.0)) == 2.0
# raises: one_branch_defines(np.float64(-1.0)) UnboundLocalError
"""Programs whose graph differs from eager Python in TensorFlow's AutoGraph, silently or by a refusal."""


def closure_reads_late(values):
    a = 0
    read = lambda: a  # noqa: E731
    for i in values:
        a = i + 1
    return read()


def chained_side_effects(x):
    calls = [0]

    def middle():
        calls[0] += 1
        return x

    inside = 0 < middle() < 10
    return bool(inside), calls[0]


def test_side_effects(n):
    asked = [0]

    def more(i):
        asked[0] += 1
        return i < n

    i = 0
    while more(i):
        i += 1
    return i, asked[0]


def python_int_grows(n):
    x = 1
    for _ in range(n):
        x = x * 10
    return x


def no_iteration(n):
    for i in range(n):
        pass
    return i


class Counter:
    def __init__(self):
        self.count = 0

    def add(self):
        self.count += 1


def not_taken(x):
    counter, seen = Counter(), [0]
    if x > 0:
        counter.add()
        seen[0] += 1
    return counter.count, seen[0]


def five_times(n):
    counter = Counter()
    for _ in range(n):
        counter.add()
    return counter.count


def frozen_default(x):
    functions = []
    for k in range(3):
        functions.append(lambda v, k=k: v * k)
    return [f(x) for f in functions], (lambda: k)()


def early_return_in_a_loop(values):
    for v in values:
        if v > 3:
            return v
    return values[0] * 0 - 1


def endless_with_a_break(x):
    steps = 0
    while True:
        x = x / 2
        steps += 1
        if x < 1:
            break
    return x, steps


def ints_as_conditions(a, b):
    result = 0
    if a and not b:
        result = 1
    if b or a:
        result += 10
    return result


def int_and_float(values):
    total = 0
    for v in values:
        total = total + v * 0.5
    return total


def enumerate_and_zip(a, b):
    total = 0.0
    for i, (x, y) in enumerate(zip(a, b)):
        total += i * x * y
    return total


def one_branch_defines(x):
    if x > 0:
        y = x * 2
    return y
