# group: Expressions
# plain: f(3, 2)
# staged: f(np.int64(4), np.int64(2))
# staged: f(np.int64(0), np.int64(2))
"""Lists of lists of a length that depends on data"""


def f(n, step):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i // step].append(i)
    total = 0
    for row in rows:
        if row:
            row[-1] += 1
        for value in row:
            total += value
    return rows, total
