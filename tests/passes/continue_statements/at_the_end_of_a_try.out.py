def outer(ag__):
    def f(xs):
        def loop_body(x):
            did_continue = False
            match x:
                case 0:
                    did_continue = True
            def if_body():
                try:
                    with ag__.attempt():
                        def if_body():
                            ag__.converted_call(h, x)
                        ag__.if_stmt(ag__.not_(ag__.converted_call(g, x)), if_body, None, None, None, (), 0)
                except ValueError:
                    pass
            ag__.if_stmt(ag__.not_(did_continue), if_body, None, None, None, (), 0)
        ag__.for_stmt(xs, None, loop_body, None, None, ())
    return f
