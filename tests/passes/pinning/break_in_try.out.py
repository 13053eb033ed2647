def outer(ag__):
    def f():
        if False:
            n = None
        did_break = False
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
                ag__.if_stmt(c, if_body, (), 0)
        ag__.while_stmt(lambda: ag__.not_(did_break), loop_body, ('did_break',))
    return f
