def outer(ag__):
    def f(x):
        i = ag__.Undefined('i')
        did_break = False
        def set_state(values):
            nonlocal did_break
            did_break, = values
        get_state = lambda: (did_break,)
        def if_body():
            nonlocal did_break
            did_break = True
        def loop_body(item):
            nonlocal i
            i = item
            try:
                with ag__.attempt():
                    ag__.converted_call(g, i)
            except (ValueError, TypeError):
                ag__.if_stmt(i > 2, if_body, None, get_state, set_state, ('did_break',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.not_(did_break), loop_body, get_state, set_state, ('did_break',))
        try:
            with ag__.attempt():
                ag__.converted_call(g, x)
        except* (KeyError, IndexError):
            x += 1
        return x
    return f
