def f(x):
    if x > 0:
        return x
    elif x < -5:
        return
    print(x)
    return -x
