def outer(ag__):
    def f(x):
        if False:
            return_value = None
        def branches(holds):
            nonlocal return_value
            if holds:
                return_value = x
            else:
                ag__.converted_call(print, x)
                return_value = None
        ag__.if_else_stmt(x > 0, branches, ('return_value',), 1)
        return return_value
    return f
