def outer(ag__):
    def f(read):
        if False:
            line = None
        out = ag__.created([])
        def loop_test():
            nonlocal line
            return (line := ag__.converted_call(read))
        def loop_body():
            nonlocal line
            ag__.converted_call(out.append, line)
        ag__.while_stmt(loop_test, loop_body, ('line',))
        return out, line
    return f
