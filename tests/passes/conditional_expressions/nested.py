def f(a, b, c):
    return a if b else c if a else (d := b) if c else d
