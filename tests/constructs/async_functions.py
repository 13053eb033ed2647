# group: Functions
# plain: f(4)
# stays: doubled AG010
# staged: f(np.int64(4))
"""`async def`, `await`, `async for`, `async with`, asynchronous comprehensions"""
import asyncio


async def doubled(x):
    await asyncio.sleep(0)
    return x * 2


class Manager:
    async def __aenter__(self):
        return 5

    async def __aexit__(self, kind, value, traceback):
        return False


async def numbers(n):
    for i in range(n):
        yield i


def f(x):
    async def inner():
        total = await doubled(x)
        async for i in numbers(3):
            total += i
        async with Manager() as five:
            total += five
        return total, [i + x async for i in numbers(2)]

    return asyncio.run(inner())
