# call: f(3)
seen = {"a", 2}


def f(x):
    seen.add(x)
    return x + 1.0
