# call: f(np.ones((9, 3)))


def f(rows):
    total = 0
    for row in rows:
        total += row
    return total
