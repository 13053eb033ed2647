def outer(ag__):
    def f(read):
        line = ag__.Undefined('line')
        out = ag__.created([])
        def set_state(values):
            nonlocal line
            line, = values
        def loop_test():
            nonlocal line
            return (line := ag__.converted_call(read))
        def loop_body():
            ag__.converted_call(out.append, line)
        ag__.while_stmt(loop_test, loop_body, lambda: (line,), set_state, ('line',))
        return out, line
    return f
