def outer(ag__):
    def f():
        while True:
            try:
                with ag__.attempt():
                    ag__.converted_call(g)
                    break
            except ValueError:
                def if_body():
                    n = 1
                ag__.if_stmt(c, if_body, None, None, None, (), 0)
    return f
