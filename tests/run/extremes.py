# run: of_arrays(np.array([1.0, np.nan, 3.0]))
# run: of_arrays(np.array([np.nan, 1.0, 3.0]))
# run: of_arrays(np.array([-0.0, 0.0, np.nan]))
# run: of_arrays(np.array([-np.inf, np.nan, -np.inf], np.float32))
# run: of_arrays(np.array([3, 1, 2]))
# run: of_what_is_left(np.array([1.0, -2.0, 3.0]))
# run: of_what_is_left(np.array([-1.0, -2.0, -3.0]))
# raises: of_positive(np.array([-1.0, -2.0])) ValueError
# run: of_positive(np.array([-1.0, 2.0]))
# run: of_tuples(np.array([1.0, 5.0, 1.0]))
# run: of_pairs(np.array([1.0, 5.0, 5.0]))
"""`max` and `min` of arrays, with NaN and with nothing in them, and of tuples."""


def of_arrays(x):
    return max(x), min(x), max(x[1:]), min(x[::-1])


def of_what_is_left(x):
    return max(x[x > 0], default=-1.0), min(x[x > 0], default=-1.0)


def of_positive(x):
    return max(x[x > 0])


def of_tuples(x):
    return (
        max((x[0], 1), (x[2], 0)),
        min([(x[2], 5), (x[0], 7), (x[0], 3)]),
        max([[x[0]], [x[1]]]),
    )


def of_pairs(x):
    return min(zip(x, range(3))), max(enumerate(x), key=lambda pair: pair[1])
