# run: shorter(2.0, 5.0, np.array([1.0, 2.0, 3.0])) == 20.0
# run: inserted(2.0, 5.0, np.int64(3))
# run: inserted(2.0, 5.0, np.int64(0))
# run: rebound(2.0, 0.5, np.int64(0))
# run: rebound(2.0, 0.5, np.int64(3))
"""Elements of lists that are replaced by longer or shorter ones."""


def shorter(a, b, x):
    rows = []
    for v in x:
        rows.append(x[x < v] * a)
    for i in range(len(rows)):
        rows[i] = rows[i][:1] * b
    total = 0.0
    for row in rows:
        total = total + row.sum()
    return total


def inserted(a, b, n):
    rows = [[a, b], [a]]
    for i in range(n):
        rows[i % 2].insert(0, a * b)
    return sum(rows[0]) * b + sum(rows[1])


def rebound(a, b, n):
    values = [a, b]
    while n < 4:
        n += 1
        if n % 2 == 0:
            values = values[1:]
        else:
            b = values[0] * b
        values.insert(0, a * b)
    return sum(values) + b
