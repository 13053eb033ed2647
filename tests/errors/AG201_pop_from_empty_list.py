# call: f(np.int64(3))


def f(n):
    stack = [n]
    while n > 0:
        n -= stack.pop() - 2
    return n
