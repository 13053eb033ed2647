def outer(ag__):
    def f(x, kind):
        """Said."""
        return_value = None
        def branches(holds):
            nonlocal return_value
            if holds:
                try:
                    with ag__.attempt():
                        return_value = ag__.converted_call(g, x)
                except ValueError as error:
                    ag__.converted_call(print, error)
                finally:
                    ag__.converted_call(h)
            else:
                def branches(holds):
                    nonlocal return_value
                    if holds:
                        return_value = "one"
                    else:
                        with ag__.entered(m):
                            return_value = "more"
                ag__.if_else_stmt(kind == 1, branches, ('return_value',), 1)
        ag__.if_else_stmt(x, branches, ('return_value',), 1)
        return return_value
    return f
