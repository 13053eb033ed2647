# call: f({1, 2}, np.array([3, 4]))
def f(seen, x):
    other = {v * 2 for v in x}
    seen |= other
    return len(seen)
