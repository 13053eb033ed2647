"""Loops whose first iteration is tried and undone: what code that is not converted wrote is undone too."""

# run: callbacks_before(np.int64(3))
# run: callbacks_after(np.int64(3))
# run: attribute_of_a_class(6, np.int64(2))
# run: item_of_a_target(6, np.int64(2))
# run: counted(np.int64(3))

import contextlib
from collections import Counter


def callbacks_before(x):
    seen = []
    with contextlib.ExitStack() as stack:
        for i in range(6):
            stack.callback(seen.append, i)
            x += 1
    return x, seen


def callbacks_after(x):
    seen = []
    with contextlib.ExitStack() as stack:
        for i in range(6):
            x += 1
            stack.callback(seen.append, i)
    return x, seen


class Box:
    value = 0


def attribute_of_a_class(n, x):
    box = Box()
    for i in range(n):
        x += i
        box.value = x
    return box.value


def item_of_a_target(n, x):
    seen = [x, 0]
    box = Box()
    for seen[1] in range(n):
        seen[0] += seen[1]
    for box.value in range(n):
        seen[0] += box.value
    return seen, box.value


def counted(x):
    counts = Counter()
    for i in range(6):
        counts.update([i % 2])
        x += 1
    return x, sorted(counts.items())
