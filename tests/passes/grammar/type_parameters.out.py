def outer(ag__):
    def f(x):
        return_value_1 = ag__.Undefined('return_value_1')
        def set_state(values):
            nonlocal return_value_1
            return_value_1, = values
        def if_body():
            nonlocal return_value_1
            def inner[T: int, *Ts, **P = [int]](y: T, *rest: *Ts) -> T:
                return_value = ag__.Undefined('return_value')
                def set_state(values):
                    nonlocal return_value
                    return_value, = values
                def if_body():
                    nonlocal return_value
                    return_value = y
                def else_body():
                    nonlocal return_value
                    return_value = x
                ag__.if_stmt(y, if_body, else_body, lambda: (return_value,), set_state, ('return_value',), 1)
                return return_value
            class Made[T]:
                kind = T
            type Pair[T] = tuple[T, x]
            return_value_1 = ag__.converted_call(inner, x), Made, Pair
        def else_body():
            nonlocal return_value_1
            return_value_1 = None
        ag__.if_stmt(x > 0, if_body, else_body, lambda: (return_value_1,), set_state, ('return_value_1',), 1)
        return return_value_1
    return f
