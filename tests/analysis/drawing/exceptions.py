def f(x):
    try:
        y = x.a
    except KeyError as e:
        y = e
    except OSError:
        raise
    else:
        y += 1
    finally:
        del x
    with y as z:
        match z:
            case [a] if a:
                return a
            case _:
                pass
    return y
