def outer(ag__):
    def f():
        n = ag__.Undefined('n')
        did_break = False
        def set_state(values):
            nonlocal did_break
            did_break, = values
        def if_body():
            nonlocal n
            n = 1
        def loop_body():
            nonlocal did_break
            try:
                with ag__.attempt():
                    ag__.converted_call(g)
                    did_break = True
            except ValueError:
                ag__.if_stmt(c, if_body, None, None, None, (), 0)
        ag__.while_stmt(lambda: ag__.not_(did_break), loop_body, lambda: (did_break,), set_state, ('did_break',))
    return f
