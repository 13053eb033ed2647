# call: f(np.int64(3))


def f(n):
    words = []
    while n > 0:
        words.append("again")
        n -= 1
    return words
