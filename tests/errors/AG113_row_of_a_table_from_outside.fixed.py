# call: f(np.int64(1))
TABLE = [[1.0, 2.0], [3.0, 4.0]]


def f(k):
    row = list(TABLE[k])
    row[0] = 5.0
    return row
