# call: f(np.ones((3, 2)))


def f(table):
    rows = []
    for row in table:
        if row[0] > 0:
            rows.append(row * 2)
    last = rows[-1]
    last[0] = 5.0
    return rows
