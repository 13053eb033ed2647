# group: Frames and names
# plain: f(3)
# plain: after_branch(3)
# plain: of_object(3)
# staged: staged(np.int64(3))
# plain: staged(3)
"""`locals()`, `vars()`"""


def f(x):
    y = x + 1
    for i in range(2):
        z = i
    return sorted(locals()), locals()["y"], sorted(vars())


def after_branch(x):
    if x > 5:
        y = 1
    return "y" in locals(), list(locals())


class Box:
    def __init__(self, value):
        self.value = value


def of_object(x):
    return vars(Box(x))


def staged(x):
    y = x * 2
    return locals()["y"] + 1, list(locals())
