# group: Exceptions and contexts
# plain: f(3)
# plain: swallows(0)
# plain: several(3)
# plain: returns(3)
# staged: several(np.int64(3))
# staged: returns(np.int64(3))
# staged: returns(np.int64(-3))
# plain: returns(-3)
"""`with`: user managers, several items, targets, `return` inside"""


class Manager:
    def __init__(self, seen, name, swallows=False):
        self.seen, self.name, self.swallows = seen, name, swallows

    def __enter__(self):
        self.seen.append(f"enter {self.name}")
        return self.name, self.seen

    def __exit__(self, kind, value, traceback):
        self.seen.append(f"exit {self.name} {kind and kind.__name__}")
        return self.swallows


def f(x):
    seen = []
    with Manager(seen, "a"):
        seen.append(x)
    return seen


def swallows(x):
    seen = []
    with Manager(seen, "a", swallows=True):
        seen.append(1 // x)
        seen.append("not reached")
    return seen


def several(x):
    seen = []
    with Manager(seen, "a") as (name, _), (Manager(seen, "b")) as target, Manager(seen, "c"):
        y = x * 2
    return y, name, target[0], seen


def returns(x):
    seen = []
    with Manager(seen, "a"):
        if x > 0:
            return x * 10
        y = x - 5
    return y
