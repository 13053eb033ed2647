# run: first_emits_later(np.float64(1.0))
# run: leaves_after_emitting(np.float64(1.0))
# run: never_emits(np.float64(1.0))
# run: staged_exit(np.float64(1.0), np.int64(3))
# run: staged_exit(np.float64(1.0), np.int64(300))
# run: writes_before_it_emits(np.float64(2.0))
# run: swallows_everything(np.float64(2.0))
"""Loops over plain ranges in a staged function: some iterations are plain, some emit ops."""


def first_emits_later(x):
    seen = 0
    for i in range(12):
        if i >= 5:
            x = x * 2 + i
        seen += i
    return x, seen


def leaves_after_emitting(x):
    for i in range(20):
        if i == 7:
            x = x + 1
            break
    return x, i


def never_emits(x):
    total = 0
    for i in range(50):
        if i % 3 == 0:
            continue
        total += i
    return x + total


def staged_exit(x, n):
    for i in range(40):
        if i > 2 and i == n:
            break
        if i < 2:
            continue
        x = x + i
    return x, i


class Log:
    def __init__(self):
        self.lines = [0, 0]


def writes_before_it_emits(x):
    log = Log()
    for i in range(9):
        log.lines[0] += 1
        if i % 2:
            log.lines[1] = log.lines[1] + x
    return log.lines


def swallows_everything(x):
    for i in range(9):
        try:
            x = x + i
        except BaseException:
            x = 0.0 * x
    return x
