# call: f(np.int64(3))
from collections import deque


def down(n, found):
    found.append(n)
    if n > 0:
        down(n - 1, found)


def f(n):
    found = deque()
    down(n, found)
    return len(found)
