def outer(ag__):
    def f(x):
        if False:
            return_value = None
        def branches(holds):
            nonlocal return_value
            if holds:
                return_value = x
            else:
                def branches(holds):
                    nonlocal return_value
                    if holds:
                        return_value = None
                    else:
                        ag__.converted_call(print, x)
                        return_value = -x
                ag__.if_else_stmt(x < -5, branches, ('return_value',), 1)
        ag__.if_else_stmt(x > 0, branches, ('return_value',), 1)
        return return_value
    return f
