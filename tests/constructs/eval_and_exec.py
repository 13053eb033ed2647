# group: Frames and names
# plain: f(3)
# staged: f(np.int64(3))
# plain: executed(3)
# staged: executed(np.int64(3))
# plain: error("1 +")
"""`eval`, `exec`, `compile`"""


def f(x):
    y = x + 1
    return eval("x * y"), eval("a + 1", {"a": x}), eval(compile("y - 1", "<text>", "eval"))


def executed(x):
    space = {"x": x}
    exec("z = x * 3", space)
    exec("q = x")
    return space["z"]


def error(text):
    return eval(text)
