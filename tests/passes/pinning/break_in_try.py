def f():
    while True:
        try:
            g()
            break
        except ValueError:
            if c:
                n = 1
