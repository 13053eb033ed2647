# group: Assignment and deletion
# plain: f(3)
# plain: f(-3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: loop(5)
# staged: loop(np.int64(5))
"""Assignment to attributes"""


class Box:
    def __init__(self, value):
        self.value = value
        self.count = 0


def f(x):
    box = Box(x)
    if x > 0:
        box.value = x * 10
    else:
        box.count = 1
    return box.value, box.count


def loop(n):
    box = Box(0)
    for i in range(n):
        box.value = box.value * 2 + i
        box.count += 1
    return box.value, box.count
