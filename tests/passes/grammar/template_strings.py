def f(x, table):
    while x > 0:
        made = t"{x!r:>{table[x]}} { table[x]+g(x) } {x = }" rt"\d"
        x -= 1
    return t"{made}"
