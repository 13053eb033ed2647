# group: Functions
# plain: f(3)
# plain: closing(3)
# stays: echo AG010
# staged: f(np.int64(3))
"""`yield` as an expression, `send`, `throw`, `close`, `yield from`"""


def echo(x):
    received = []
    try:
        while True:
            value = yield x
            if value is None:
                break
            received.append(value)
    except ValueError as error:
        yield str(error)
    finally:
        received.append("finally")
    return received


def delegating(x):
    received = yield from echo(x)
    yield received


def f(x):
    generator = delegating(5)
    first = next(generator)
    second = generator.send("a")
    last = next(generator)
    return first + x, second, last


def closing(x):
    generator = echo(x)
    next(generator)
    text = generator.throw(ValueError("thrown"))
    generator.close()
    return text
