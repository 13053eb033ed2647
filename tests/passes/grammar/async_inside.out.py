def outer(ag__):
    def f(x):
        async def work(n):
            async with a as b:
                async for i in b:
                    if i > n:
                        return [await j async for j in i]
        def set_state(values):
            nonlocal x
            x, = values
        def if_body():
            nonlocal x
            x = ag__.converted_call(run, ag__.converted_call(work, x))
        ag__.if_stmt(x > 0, if_body, None, lambda: (x,), set_state, ('x',), 1)
        return x
    return f
