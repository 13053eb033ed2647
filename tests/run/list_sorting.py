# run: of_numbers(np.array([3, 1, 2, 1, -5, 9, 1]))
# run: of_numbers(np.array([3]))
# run: of_numbers(np.array([], int))
# run: of_floats(np.array([0.5, -1.5, 2.5, -0.0, 0.0, np.inf, -np.inf]))
# run: by_a_key(np.int64(17))
# run: by_a_key(np.int64(0))
# run: of_tuples(np.int64(20))
# run: in_place(np.array([5.0, 3.0, 9.0]))
# run: of_what_is_kept(np.array([5.0, 3.0, -9.0, 4.0]))
# run: kept_sorted_in_a_loop(np.array([5, 3, 9, 1]))
"""``sorted`` and ``list.sort`` of lists whose length depends on data."""


def listed(x):
    xs = []
    for v in x:
        if v > -4:
            xs.append(v)
    return xs


def of_numbers(x):
    xs = listed(x)
    return sorted(xs), sorted(xs, reverse=True), xs


def of_floats(x):
    return sorted(listed(x))


def by_a_key(n):
    xs = []
    for i in range(n):
        xs.append((i * 7 % 5, i))
    return sorted(xs, key=lambda pair: pair[0]), sorted(xs, key=lambda pair: -pair[0], reverse=True)


def of_tuples(n):
    xs = []
    for i in range(n):
        xs.append((i * 3 % 4, i * 7 % 6, i))
    xs.sort()
    return xs, sorted(xs, reverse=True)


def in_place(x):
    xs = listed(x)
    ys = xs
    xs.sort(key=lambda v: -v)
    xs.append(x[0])
    return xs, ys


def of_what_is_kept(x):
    return sorted(v for v in x if v > 3.5)


def kept_sorted_in_a_loop(x):
    xs = []
    for v in x:
        xs.append(v)
        xs.sort(reverse=True)
    return xs
