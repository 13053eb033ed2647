def f(c):
    if c:
        x = 1
        print(x)
    print(x)  # unbound: x
    x = 2
    print(x)
    for i in c:
        y = i
        print(y, i)
    print(y)  # unbound: y
    print(i)  # unbound: i
