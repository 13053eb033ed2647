# run: collatz(np.int64(27)) == 111
# run: collatz(np.int64(1)) == 0
# run: longest(np.arange(1, 60))


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def longest(starts):
    best, which = 0, starts[0]
    for n in starts:
        steps = collatz(n)
        if steps > best:
            best = steps
            which = n
    return best, which
