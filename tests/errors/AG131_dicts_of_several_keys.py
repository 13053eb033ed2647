# call: f(np.int64(3))


def f(n):
    rows = []
    for i in range(n):
        if i % 2 == 0:
            rows.append({"a": i})
        else:
            rows.append({"b": i})
    return rows
