# group: Statements
# plain: f(1000)
# staged: f(np.int64(1000))
"""`while True` with `break`"""


def f(n):
    power = 1
    while True:
        if power * power > n:
            break
        power = power + 3
    return power
