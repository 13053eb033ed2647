"""Methods and functions that were given arguments of a kind that they did not expect."""

import numpy as np

# run: turned(np.arange(24.0).reshape(2, 3, 4))
# run: from_items(np.arange(4.0), np.int64(5))
# run: frequencies(np.int64(8), 0.5)
# run: frequencies(np.int64(7), 2.0)
# run: counted(np.bool_(True))
# run: counted(np.bool_(False))
# run: with_ranges(np.arange(12.0).reshape(3, 4))
# run: equal_to_no_number(np.arange(4.0))


def turned(x):
    return (
        x.transpose(1, 0, 2),
        x.transpose((2, 0, 1)),
        x.transpose(),
        x.transpose(-1, 0, 1),
        x[0].transpose(1, 0),
    )


def from_items(x, n):
    whole = np.fromiter((value * 2 for value in x), np.int64)
    some = np.fromiter((value / 2 for value in x), float, count=2)
    squares = np.fromiter((i * i for i in range(n)), np.int64)
    return whole, some, squares, np.fromiter(x, np.float32), np.fromiter([x[0], 2], float)


def frequencies(n, d):
    return np.fft.fftfreq(n), np.fft.fftfreq(n, d), np.fft.rfftfreq(n, d), np.fft.fftfreq(5, d)


def counted(flag):
    return np.arange(flag), np.arange(flag, 3)


def with_ranges(x):
    return x + range(4), range(4) * x, x == range(4), x[0] - range(1, 5)


def equal_to_no_number(x):
    return x == "a", x != "a", x == None, x != {}, x == b"", (x > 1) == "a"  # noqa: E711
