def outer(ag__):
    def f(xs):
        if False:
            x = None
        did_break = False
        def branches(holds):
            nonlocal did_break
            if holds:
                did_break = True
            else:
                ag__.converted_call(print, x)
        def loop_body(item):
            nonlocal did_break, x
            x = item
            ag__.if_else_stmt(x > 3, branches, ('did_break',), 1)
        ag__.for_stmt(xs, lambda: ag__.not_(did_break), loop_body, ('did_break',))
        def if_body():
            ag__.converted_call(print, 'all')
        ag__.if_stmt(ag__.not_(did_break), if_body, (), 0)
    return f
