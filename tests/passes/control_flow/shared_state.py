def f(x):
    for i in range(3):
        if i:
            x += i
        else:
            x -= i
    return x
