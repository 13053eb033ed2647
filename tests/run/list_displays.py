# run: with_one_more(np.int64(3))
# run: with_one_more(np.int64(0))
# run: two_and_between(np.int64(3))
# run: of_generators(np.arange(5.0))
# run: of_a_reversed_list(np.int64(4))
# run: times(np.int64(2))
# run: not_staged(np.int64(2))
# run: evaluated_in_order(np.int64(2))
# run: extended_by_what_depends_on_data(np.arange(5.0))
# run: kept_methods(np.int64(4))
# run: kept_pop(np.int64(3))
# run: kept_of_all_kinds(np.int64(3))
# run: searched_for_tuples(np.int64(4))
# raises: searched_for_tuples(np.int64(1)) ValueError
"""List displays with ``*values``, and methods of lists that are kept in variables."""


def doubled(n):
    xs = []
    for i in range(n):
        xs.append(i * 2)
    return xs


def with_one_more(n):
    xs = doubled(n)
    ys = [*xs, 5]
    ys.append(7)
    return ys, len(xs), xs


def two_and_between(n):
    xs = doubled(n)
    return [1, *xs, 2, *xs, 3, 4]


def of_generators(x):
    return [9.0, *(v for v in x if v > 1.5), *(v * 2 for v in x)]


def of_a_reversed_list(n):
    xs = doubled(n)
    return [*reversed(xs)], [*range(n)]


def times(n):
    return [*doubled(n), 1] * 2 + [*doubled(n)]


def not_staged(n):
    return [*"ab", *range(2), *{5: 6}, *(7, n)], [*[]]


def evaluated_in_order(n):
    log = []

    def items(value):
        log.append(value)
        yield value
        log.append(-value)

    first = [*items(1), len(log), *items(2), len(log)]
    return first, n


def extended_by_what_depends_on_data(x):
    values = [9.0]
    values.extend(v for v in x if v > 1.5)
    others = []
    others.extend(range(int(x[2])))
    return values, others


def kept_methods(n):
    xs = []
    add = xs.append
    for i in range(n):
        add(i)
    return xs


def kept_pop(n):
    xs = [1]
    take = xs.pop
    for i in range(n):
        xs.append(i)
        take()
        xs.append(7)
    return xs


def kept_of_all_kinds(n):
    xs = [3, 1]
    extend, insert, remove, reverse, clear, copied = (
        *(xs.extend, xs.insert, xs.remove),
        *(xs.reverse, xs.clear, xs.copy),
    )
    for i in range(n):
        extend([i, i])
        insert(0, i)
        remove(i)
        if i == 1:
            reverse()
        if i == 7:
            clear()
    return xs, copied()


def searched_for_tuples(n):
    xs = []
    for i in range(n):
        xs.append((i, i + 1))
    return xs.index((1, 2)), (1, 2) in xs, (1, 3) in xs, (1,) in xs, xs.count((0, 1))
