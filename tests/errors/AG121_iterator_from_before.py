# call: f(np.int64(2))
def f(n):
    items = iter([1.0, 2.0, 3.0])
    total = 0.0
    for _ in range(n):
        total += next(items)
    return total
