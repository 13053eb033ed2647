# call: f(np.int64(3))


def f(n):
    rows = []
    for i in range(n):
        rows.append({"a": i})
    rows[0]["b"] = 1
    return rows
