# run: logged(np.float64(1.0), np.int64(3))
# run: iterators_made_inside(np.float64(1.0))
import logging
import sys


class ToStandardOutput(logging.Handler):
    def emit(self, record):
        print(record.levelname, record.getMessage(), file=sys.stdout)


log = logging.getLogger("autograph.test.log_messages")
log.handlers = [ToStandardOutput()]
log.setLevel(logging.INFO)
log.propagate = False


def logged(x, n):
    for i in range(n):
        log.info("step %d of %s: %.3f", i, "all", x)
        if i > 0:
            log.warning("late")
        x = x / 2
    return x


def numbers():
    yield 1
    yield 2


def iterators_made_inside(x):
    items = iter([1, 2, 3])
    pairs = zip([1, 2], [3, 4], strict=True)
    total = x * next(items)
    for item in items:
        total += item
    for a, b in pairs:
        total += a * b
    for item in numbers():
        total += item
    made = numbers()
    return total, next(made), list(enumerate(reversed([5, 6])))
