def outer(ag__):
    def f(x, kind):
        """Said."""
        return_value = None
        def branches(holds):
            nonlocal return_value
            if holds:
                def clauses(clause, caught):
                    nonlocal return_value
                    if clause == 0:
                        return_value = ag__.converted_call(g, x)
                    elif clause == 1:
                        error = caught
                        ag__.converted_call(print, error)
                    elif clause == 3:
                        ag__.converted_call(h)
                ag__.try_stmt(clauses, (lambda: ValueError,), False, True, ('return_value',))
            else:
                def branches(holds):
                    nonlocal return_value
                    if holds:
                        return_value = "one"
                    else:
                        def with_body(item):
                            nonlocal return_value
                            return_value = "more"
                        ag__.with_stmt(m, with_body, ('return_value',))
                ag__.if_else_stmt(kind == 1, branches, ('return_value',), 1)
        ag__.if_else_stmt(x, branches, ('return_value',), 1)
        return return_value
    return f
