def outer(ag__):
    def f(x):
        if False:
            i = None
        did_break = False
        def if_body():
            nonlocal did_break
            did_break = True
        def clauses(clause, caught):
            nonlocal did_break
            if clause == 0:
                ag__.converted_call(g, i)
            elif clause == 1:
                ag__.if_stmt(i > 2, if_body, ('did_break',), 1)
        def loop_body(item):
            nonlocal did_break, i
            i = item
            ag__.try_stmt(clauses, (lambda: (ValueError, TypeError),), False, False, ('did_break',))
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.not_(did_break), loop_body, ('did_break',))
        try:
            with ag__.attempt('except* (KeyError, IndexError)'):
                ag__.converted_call(g, x)
        except* (KeyError, IndexError):
            x += 1
        return x
    return f
