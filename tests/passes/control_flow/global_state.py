def f(x):
    if x:
        global n
        n = x
    return n
