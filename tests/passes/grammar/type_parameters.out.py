def outer(ag__):
    def f(x):
        if False:
            return_value_1 = None
        def branches(holds):
            nonlocal return_value_1
            if holds:
                def inner[T: int, *Ts, **P = [int]](y: T, *rest: *Ts) -> T:
                    if False:
                        return_value = None
                    def branches(holds):
                        nonlocal return_value
                        if holds:
                            return_value = y
                        else:
                            return_value = x
                    ag__.if_else_stmt(y, branches, ('return_value',), 1)
                    return return_value
                class Made[T]:
                    kind = T
                type Pair[T] = tuple[T, x]
                return_value_1 = ag__.converted_call(inner, x), Made, Pair
            else:
                return_value_1 = None
        ag__.if_else_stmt(x > 0, branches, ('return_value_1',), 1)
        return return_value_1
    return f
