# group: Exceptions and contexts
# plain: f(3)
# plain: suppressed({}, 3)
# plain: stack(3)
# staged: f(np.int64(3))
# staged: stack(np.int64(3))
"""`contextlib`: `contextmanager`, `suppress`, `ExitStack`, `nullcontext`"""
import contextlib


@contextlib.contextmanager
def noted(seen):
    seen.append("enter")
    try:
        yield 5
    finally:
        seen.append("exit")


def f(x):
    seen = []
    with noted(seen) as five:
        y = x * five
    with contextlib.nullcontext(2) as two:
        y = y + two
    return y, seen


def suppressed(table, x):
    with contextlib.suppress(KeyError):
        x = table["missing"]
    with contextlib.suppress(ValueError):
        x = x + int("no")
    return x


def stack(x):
    seen = []
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            x += stack.enter_context(noted(seen))
        stack.callback(seen.append, "callback")
    return x, seen
