def f(x):
    for i in range(x):
        try:
            with lock:
                if g(i):
                    return i
                if h(i):
                    break
        except ValueError:
            x += 1
        x += 2
    return x
