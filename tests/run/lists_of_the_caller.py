# run: row_of_a_table(np.int64(0))
# run: row_of_a_table(np.int64(-1))
# run: is_a_row(np.int64(1))
# run: is_a_row(np.int64(-3))
# run: row_of_an_argument([[1, 2], [3, 4]], np.int64(0))
# run: one_of_two([3, 1, 2], [5, 4, 6], np.int64(0))
# run: one_of_two([3, 1, 2], [5, 4, 6], np.int64(1))
# run: the_same_in_all_places([3, 1, 2], np.int64(2))
# run: beside_its_copy(np.int64(1))
# run: two_names_of_one(np.bool_(True))
# run: two_names_of_one(np.bool_(False))
# raises: raised(np.int64(1)) ValueError
"""A list from before the call at a staged place is the caller's own list, and no copy."""

TABLE = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def row_of_a_table(i):
    return TABLE[i], TABLE


def is_a_row(i):
    row = TABLE[i]
    return row is TABLE[0], row is not TABLE[1], row is TABLE[i], row is TABLE[i - 0], row == [1.0, 2.0]


def row_of_an_argument(rows, i):
    return rows[i], rows


def one_of_two(x, y, k):
    v = (y, x)[k]
    return v, v, [v, (v, {"a": v})], v is x, v is y, x


def the_same_in_all_places(x, k):
    v = [x for _ in range(6)][k]
    return v, v is x, v[k]


def beside_its_copy(k):
    row = TABLE[k]
    copy = list(row)
    copy[0] = -1.0
    return row, copy, copy is row


def two_names_of_one(c):
    xs, ys = [1.0], [2.0]
    v = xs if c else ys
    return v, xs, ys


def raised(k):
    if k > 0:
        raise ValueError(TABLE[k], "no")
    return k
