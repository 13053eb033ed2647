def outer(ag__):
    def f(xs):
        n = 0
        did_break = False
        def branches(holds):
            nonlocal did_break, n
            if holds:
                did_break = True
            else:
                n += 2
        def if_body():
            nonlocal did_break, n
            ag__.if_else_stmt(n > 3, branches, ('did_break', 'n'), 2)
        def if_body_1():
            nonlocal n
            n += 1
        def loop_body():
            nonlocal did_break, n
            ag__.if_stmt(ag__.get_item(xs, n), if_body, ('did_break', 'n'), 2)
            ag__.if_stmt(ag__.not_(did_break), if_body_1, ('n',), 1)
        ag__.while_stmt(lambda: ag__.and_(ag__.not_(did_break), lambda: n < 10), loop_body, ('n', 'did_break'))
        return n
    return f
