def outer(ag__):
    def f(x):
        if False:
            i = None
        did_break = False
        def if_body():
            nonlocal did_break
            did_break = True
        def loop_body(item):
            nonlocal did_break, i
            i = item
            try:
                with ag__.attempt():
                    ag__.converted_call(g, i)
            except (ValueError, TypeError):
                ag__.if_stmt(i > 2, if_body, ('did_break',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.not_(did_break), loop_body, ('did_break',))
        try:
            with ag__.attempt():
                ag__.converted_call(g, x)
        except* (KeyError, IndexError):
            x += 1
        return x
    return f
