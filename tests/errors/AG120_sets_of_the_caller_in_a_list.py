# call: f({1, 3}, np.int64(2))
def f(seen, n):
    seen.add(n)
    found = [seen]
    for _ in range(n):
        found.append(found[0])
    return found
