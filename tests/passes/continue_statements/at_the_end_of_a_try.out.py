def outer(ag__):
    def f(xs):
        if False:
            did_continue = x = None
        def if_body():
            ag__.converted_call(h, x)
        def if_body_1():
            try:
                with ag__.attempt():
                    ag__.if_stmt(ag__.not_(ag__.converted_call(g, x)), if_body, (), 0)
            except ValueError:
                pass
        def loop_body(item):
            nonlocal did_continue, x
            x = item
            did_continue = False
            match x:
                case 0:
                    did_continue = True
            ag__.if_stmt(ag__.not_(did_continue), if_body_1, (), 0)
        ag__.for_stmt(xs, None, loop_body, ())
    return f
