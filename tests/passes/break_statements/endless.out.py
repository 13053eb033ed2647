def outer(ag__):
    def f(n):
        did_break = False
        def if_body():
            nonlocal did_break
            did_break = True
        def loop_body():
            nonlocal did_break, n
            n -= 1
            ag__.if_stmt(n < 0, if_body, ('did_break',), 1)
        ag__.while_stmt(lambda: ag__.not_(did_break), loop_body, ('n', 'did_break'))
        return n
    return f
