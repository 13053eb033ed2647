# call: f(np.int64(3))


def f(n):
    todo = list(range(n))
    for item in todo:
        if item > 0:
            todo.append(item - 1)
    return todo
