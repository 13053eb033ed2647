# call: f(np.int64(3))
import contextlib

import autograph as ag


@contextlib.contextmanager
def noted(seen):
    seen.append("enter")
    yield 5
    seen.append("exit")


def f(x):
    seen = []
    with contextlib.ExitStack() as stack:
        for _ in ag.unroll(range(6)):
            x += stack.enter_context(noted(seen))
    return x, seen
