# call: f(np.int64(3))


def walk(path, n):
    path.append(n)
    if n > 0:
        return walk([*path], n - 1)
    return len(path)


def f(n):
    return walk([], n)
