def outer(ag__):
    def f(x):
        if False:
            i = None
        def branches(holds):
            nonlocal x
            if holds:
                x += i
            else:
                x -= i
        def loop_body(item):
            nonlocal i, x
            i = item
            ag__.if_else_stmt(i, branches, ('x',), 1)
        ag__.for_stmt(ag__.converted_call(range, 3), None, loop_body, ('x',))
        return x
    return f
