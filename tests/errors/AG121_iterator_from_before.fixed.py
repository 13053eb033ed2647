# call: f(np.int64(2))
def f(n):
    items = [1.0, 2.0, 3.0]
    total = 0.0
    for i in range(n):
        total += items[i]
    return total
