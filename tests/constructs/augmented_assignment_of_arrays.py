# group: Assignment and deletion
# plain: f(np.arange(4.0))
# staged: f(np.arange(4.0))
# plain: g(np.arange(6.0).reshape(2, 3), 1)
# staged: g(np.arange(6.0).reshape(2, 3), np.int64(1))
# plain: loop(np.zeros(3), 4)
# staged: loop(np.zeros(3), np.int64(4))
# plain: narrowing(np.arange(3))
# refused: narrowing(np.arange(3)) AG109 where the result does not fit the array's dtype
"""Augmented assignment of arrays works in place"""


def f(x):
    y = x
    x += 1.0
    x *= y
    x[1] -= 10.0
    x[2:] /= 2.0
    return y


def g(matrix, row):
    matrix[row] += matrix[0]
    matrix[:, 1] *= 2
    return matrix.sum()


def loop(x, n):
    for i in range(n):
        x += i
        x[0] += 1
    return x


def narrowing(x):
    x += 0.5
    return x
