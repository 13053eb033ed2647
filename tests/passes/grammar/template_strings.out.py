def outer(ag__):
    def f(x, table):
        made = ag__.Undefined('made')
        def loop_body():
            nonlocal made, x
            made = t"{x!r:>{table[x]}} { table[x]+g(x) } {x = }" rt"\d"
            x -= 1
        ag__.while_stmt(lambda: x > 0, loop_body, ('made', 'x'))
        return (ag__.ld(made), t"{made}")[1]
    return f
