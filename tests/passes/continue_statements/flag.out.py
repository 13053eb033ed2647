def outer(ag__):
    def f(xs):
        if False:
            did_continue = x = None
        total = 0
        def branches(holds):
            nonlocal did_continue, total
            if holds:
                did_continue = True
            else:
                total += 1
        def if_body():
            nonlocal did_continue, total
            ag__.if_else_stmt(x < -10, branches, ('did_continue', 'total'), 2)
        def if_body_1():
            nonlocal total
            total += x
        def loop_body(item):
            nonlocal did_continue, total, x
            x = item
            did_continue = False
            ag__.if_stmt(x < 0, if_body, ('did_continue', 'total'), 2)
            ag__.if_stmt(ag__.not_(did_continue), if_body_1, ('total',), 1)
        ag__.for_stmt(xs, None, loop_body, ('total',))
        return total
    return f
