def f(c):
    for i in c:
        try:
            g()
        except E as e:
            h(e)
        print(e)
        x = e
    del x
