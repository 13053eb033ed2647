def f(x):
    async def work(n):
        async with a as b:
            async for i in b:
                if i > n:
                    return [await j async for j in i]
    if x > 0:
        x = run(work(x))
    return x
