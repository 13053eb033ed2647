"""What looks at the frame sees the user's variables, staged ones too."""

# run: shown(3) == (['limit', 'total', 'x'], {'x': 3, 'limit': 10, 'total': 6})
# run: evaluated(np.array([1.0, 2.0]), "x.sum() > y")
# run: evaluated(np.array([1.0, 9.0]), "x.sum() > y")
# run: executed(np.array([1.0, 9.0]))
# run: in_a_loop(5) == 28


def shown(x):
    limit, total = 10, 0
    if x < limit:
        total = x * 2
    return dir(), locals()


def evaluated(x, text):
    y = 4.0
    if eval(text):
        y = x.max()
    return y


def executed(x):
    made = {"x": x}
    exec("y = x * 2", None, made)
    if made["y"][0] > x[1]:
        return x
    return made["y"]


def in_a_loop(n):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            square = i * i
        else:
            square = eval("i + 1") * 2 - (2 if "total" in vars() else 0)
        total += square
    return total
