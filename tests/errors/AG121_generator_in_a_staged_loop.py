# call: f(np.int64(3))
import contextlib


@contextlib.contextmanager
def noted(seen):
    seen.append("enter")
    yield 5
    seen.append("exit")


def f(x):
    seen = []
    with contextlib.ExitStack() as stack:
        for _ in range(x):
            x += stack.enter_context(noted(seen))
    return x, seen
