# call: f({1, 3}, np.int64(2))
def f(seen, n):
    seen.add(n)
    count = 1
    for _ in range(n):
        count += 1
    return seen, count
