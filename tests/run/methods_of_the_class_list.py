"""Methods of lists that are read off the class, `list.append(xs, x)`; NumPy's functions of lists of lists."""

# run: methods(np.array([3.0, 1.0, 2.0]))
# run: read(np.array([3.0, 1.0, 2.0]))
# run: joined(np.array([3.0, 1.0, 2.0]))
# run: stacked(np.array([3.0, 1.0, 2.0]))
# run: stored(np.array([3.0, 1.0, 2.0]))
# run: best_so_far(np.array([3.0, 1.0, 4.0]), np.int64(3))
# run: rows_as_an_array(np.array([3.0, 1.0, 4.0]), np.int64(3))

import numpy as np


def grown(v):
    xs = []
    for x in v:
        xs.append(x)
    return xs


def methods(v):
    xs = grown(v)
    list.append(xs, v[0])
    list.extend(xs, grown(v))
    list.insert(xs, 1, v[1])
    list.sort(xs)
    list.reverse(xs)
    return xs, list.pop(xs), xs


def read(v):
    xs = grown(v)
    return list.copy(xs), list.__len__(xs), list.index(xs, 2.0), list.count(xs, 1.0)


def joined(v):
    xs = grown(v)
    return np.concatenate([xs, [1.0]]), np.concatenate((xs, xs[1:])), np.hstack([xs, [1.0]])


def stacked(v):
    xs = grown(v)
    return np.stack([xs, xs]), np.vstack([xs, xs]), np.array([xs, xs]), np.column_stack([xs, xs])


def stored(v):
    xs = grown(v)
    a = np.zeros((2, 3))
    a[:] = [xs, xs]
    return a


def best_so_far(x, n):
    best = None
    out = []
    for i in range(n):
        v = x[i]
        if best is None or v > best:
            best = v
        out.append(best)
    return np.stack(out)


def rows_as_an_array(v, n):
    rows = []
    for i in range(n):
        rows.append([v[i], 2 * v[i]])
    a = np.zeros((3, 2))
    a[0:3] = rows
    return np.array(rows), np.sum(rows, axis=0), a, np.concatenate(rows)
