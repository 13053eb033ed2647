# call: f(3)
seen = {2}
names = {"a"}


def f(x):
    seen.add(x)
    return x + 1.0
