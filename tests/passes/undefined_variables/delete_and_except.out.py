def outer(ag__):
    def f(c):
        if False:
            i = None
        e, x = ag__.Undefined('e'), ag__.Undefined('x')
        def loop_body(item):
            nonlocal e, i, x
            i = item
            try:
                with ag__.attempt():
                    ag__.converted_call(g)
            except E as caught:
                e = caught
                try:
                    ag__.converted_call(h, e)
                finally:
                    e = ag__.Undefined('e')
            ag__.converted_call(print, ag__.ld(e))
            x = ag__.ld(e)
        ag__.for_stmt(c, None, loop_body, ('x', 'e'))
        ag__.ld(x)
        x = ag__.Undefined('x')
    return f
