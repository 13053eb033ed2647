def outer(ag__):
    def f(x, kind):
        """Said."""
        return_value = None
        def set_state(values):
            nonlocal return_value
            return_value, = values
        def if_body():
            nonlocal return_value
            try:
                with ag__.attempt():
                    return_value = ag__.converted_call(g, x)
            except ValueError as error:
                ag__.converted_call(print, error)
            finally:
                ag__.converted_call(h)
        def else_body():
            nonlocal return_value
            match kind:
                case 1:
                    return_value = "one"
                case _:
                    with ag__.entered(m):
                        return_value = "more"
        ag__.if_stmt(x, if_body, else_body, lambda: (return_value,), set_state, ('return_value',), 1)
        return return_value
    return f
