def f(x):
    try:
        y = g(x)
    finally:
        for i in x:
            for j in i:
                if j:
                    return j
            h(i)
    return y
