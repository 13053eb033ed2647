def outer(ag__):
    def f():
        if False:
            n = None
        did_break = False
        def if_body():
            nonlocal n
            n = 1
        def clauses(clause, caught):
            nonlocal did_break
            if clause == 0:
                ag__.converted_call(g)
                did_break = True
            elif clause == 1:
                ag__.if_stmt(c, if_body, (), 0)
        def loop_body():
            nonlocal did_break
            ag__.try_stmt(clauses, (lambda: ValueError,), False, False, ('did_break',))
        ag__.while_stmt(lambda: ag__.not_(did_break), loop_body, ('did_break',))
    return f
