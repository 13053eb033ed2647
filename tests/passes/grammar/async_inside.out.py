def outer(ag__):
    def f(x):
        async def work(n):
            async with a as b:
                async for i in b:
                    if i > n:
                        return [await j async for j in i]
        def if_body():
            nonlocal x
            x = ag__.converted_call(run, ag__.converted_call(work, x))
        ag__.if_stmt(x > 0, if_body, ('x',), 1)
        return x
    return f
