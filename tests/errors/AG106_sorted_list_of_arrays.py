# call: f(np.ones((3, 2)))


def f(rows):
    kept = []
    for row in rows:
        if row[0] > 0:
            kept.append(row)
    kept.sort()
    return kept
