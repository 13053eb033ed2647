def f(x, kind):
    """Said."""
    if x:
        try:
            return g(x)
        except ValueError as error:
            print(error)
        finally:
            h()
    else:
        match kind:
            case 1:
                return "one"
            case _:
                with m:
                    return "more"
