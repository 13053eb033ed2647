def f(x):
    y = x + 1  # live out: y
    z = y * 2  # live out: z
    y = 0  # live out: z
    return z  # live out:
