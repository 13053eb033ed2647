def outer(ag__):
    def f(x, y):
        if False:
            return_value = None
        subject = ag__.converted_call(g, y)
        def branches(holds):
            nonlocal return_value
            if holds:
                return_value = 1
            else:
                if False:
                    a = None
                a_1 = ag__.Undefined('a_1')
                either = False
                def if_body():
                    nonlocal a_1, either
                    a_1 = x
                    either = True
                ag__.if_stmt(subject == 0, if_body, ('a_1', 'either'), 2)
                def if_body():
                    nonlocal a_1, either
                    def if_body():
                        nonlocal a_1, either
                        a_1 = subject
                        either = True
                    ag__.if_stmt(x == 0, if_body, ('a_1', 'either'), 2)
                ag__.if_stmt(ag__.not_(either), if_body, ('a_1', 'either'), 2)
                matched = False
                def if_body():
                    nonlocal a, matched
                    a = ag__.ld(a_1)
                    def if_body():
                        nonlocal matched
                        matched = True
                    ag__.if_stmt(a > 2, if_body, ('matched',), 1)
                ag__.if_stmt(either, if_body, ('matched',), 1)
                def branches(holds):
                    nonlocal a, return_value
                    if holds:
                        a = ag__.ld(a_1)
                        return_value = a
                    else:
                        a = x
                        rest = ag__.created([subject])
                        return_value = a, rest
                ag__.if_else_stmt(matched, branches, ('return_value',), 1)
        ag__.if_else_stmt(x == 0, branches, ('return_value',), 1)
        return return_value
    return f
