def outer(ag__):
    def f(a, b):
        if False:
            return_value = None
        def branches(holds):
            nonlocal return_value
            if holds:
                def branches(holds):
                    nonlocal return_value
                    if holds:
                        return_value = b
                    else:
                        return_value = a, b
                ag__.if_else_stmt(b > 0, branches, ('return_value',), 1)
            else:
                def branches(holds):
                    nonlocal return_value
                    if holds:
                        def branches(holds):
                            nonlocal return_value
                            if holds:
                                return_value = 1
                            else:
                                ag__.converted_call(print, b)
                                return_value = a, b
                        ag__.if_else_stmt(b > 1, branches, ('return_value',), 1)
                    else:
                        return_value = a, b
                ag__.if_else_stmt(b > 0, branches, ('return_value',), 1)
        ag__.if_else_stmt(a > 0, branches, ('return_value',), 1)
        return return_value
    return f
