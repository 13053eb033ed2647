# call: f(np.float64(-1.0))
from collections import deque

recent = deque(maxlen=3)


def note(x):
    recent.append(x)


def f(x):
    if x > 0:
        note(x)
    return x
