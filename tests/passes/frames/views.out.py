def outer(ag__):
    def f(x, text):
        """Said."""
        i, y = ag__.Undefined('i'), ag__.Undefined('y')
        frame = ag__.Frame()
        def if_body():
            nonlocal y
            y = eval(*ag__.frame_arguments(eval, frame, text, i=lambda: ag__.ld_free(i), inner=lambda: inner, text=lambda: text, x=lambda: x, y=lambda: ag__.ld_free(y)))
        def loop_body(item):
            nonlocal i, y
            i = item
            ag__.if_stmt(i, if_body, ('y',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), None, loop_body, ('i', 'y'))
        def inner():
            return lambda a: (x, ag__.frame_dir(dir, ag__.Frame(), a=lambda: a, x=lambda: x))
        return ag__.frame_locals(locals, frame, i=lambda: ag__.ld_free(i), inner=lambda: inner, text=lambda: text, x=lambda: x, y=lambda: ag__.ld_free(y))
    return f
