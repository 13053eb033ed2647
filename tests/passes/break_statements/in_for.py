def f(xs):
    for x in xs:
        if x > 3:
            break
        print(x)
    else:
        print('all')
