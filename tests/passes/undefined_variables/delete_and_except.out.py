def outer(ag__):
    def f(c):
        if False:
            i = None
        e, x = ag__.Undefined('e'), ag__.Undefined('x')
        def clauses(clause, caught_1):
            nonlocal e
            if clause == 0:
                ag__.converted_call(g)
            elif clause == 1:
                caught = caught_1
                e = caught
                try:
                    ag__.converted_call(h, e)
                finally:
                    e = ag__.Undefined('e')
        def loop_body(item):
            nonlocal e, i, x
            i = item
            ag__.try_stmt(clauses, (lambda: E,), False, False, ('e',))
            ag__.converted_call(print, ag__.ld(e))
            x = ag__.ld(e)
        ag__.for_stmt(c, None, loop_body, ('x', 'e'))
        ag__.ld(x)
        x = ag__.Undefined('x')
    return f
