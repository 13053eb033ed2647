def outer(ag__):
    def f(xs):
        if False:
            x = None
        def if_body():
            ag__.converted_call(h, x)
        def clauses(clause, caught):
            if clause == 0:
                ag__.if_stmt(ag__.not_(ag__.converted_call(g, x)), if_body, (), 0)
        def if_body_1():
            ag__.try_stmt(clauses, (lambda: ValueError,), False, False, ())
        def loop_body(item):
            nonlocal x
            x = item
            ag__.if_stmt(ag__.not_(x == 0), if_body_1, (), 0)
        ag__.for_stmt(xs, None, loop_body, ())
    return f
