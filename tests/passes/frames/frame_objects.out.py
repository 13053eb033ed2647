def outer(ag__):
    def f(x):
        if False:
            return_value = None
        def name():
            return inspect.currentframe().f_code.co_name
        def branches(holds):
            nonlocal return_value
            if holds:
                return_value = ag__.converted_call(name)
            else:
                return_value = ag__.converted_call(np.stack, x)
        ag__.if_else_stmt(x, branches, ('return_value',), 1)
        return return_value
    return f
