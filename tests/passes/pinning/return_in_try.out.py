def outer(ag__):
    def f(x):
        for i in ag__.converted_call(range, x):
            try:
                with ag__.attempt():
                    if ag__.converted_call(g, i):
                        return i
            finally:
                ag__.converted_call(h)
            def set_state(values):
                nonlocal x
                x, = values
            def if_body():
                nonlocal x
                x += 1
            ag__.if_stmt(i > 3, if_body, None, lambda: (x,), set_state, ('x',), 1)
        return x
    return f
