# run: mixed(3, 2.5)
# run: power(2.0, 3)
# run: divide(np.int64(7), np.int64(2))
# run: truncated(7.9)
# raises: ratio(1.0, 0.0) ZeroDivisionError
# run: ratio(1.0, 4.0)
# run: both_parts(-5.5, 2.0)
# run: both_parts(7, 2.5)
# raises: both_parts(1.0, 0.0) ZeroDivisionError
# raises: both_parts(7, 0.0) ZeroDivisionError
# run: doubled(100)
# raises: doubled(np.int64(100)) OverflowError
# run: doubled(np.int64(20))
# run: gcd(np.int64(48), np.int64(36))
# run: weak(np.float32(1.5))
# run: booleans(np.float64(1.0))
# run: shifted(np.int64(5))
# raises: shifted(np.int64(70)) OverflowError


def mixed(a, b):
    total = 0
    for i in range(10):
        total += a * i - b
    return total


def power(x, n):
    return x**n + 2**n


def divide(a, b):
    return a / b, a // b, a % b, -a // b, -a % b, divmod(a, b)


def truncated(x):
    return int(x), int(-x), float(x) + 1, round(x), abs(-x)


def ratio(a, b):
    return a / b


def both_parts(a, b):
    return divmod(a, b)


def doubled(n):
    x = 1
    for _ in range(n):
        x = x * 2
    return x


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def weak(x):
    total = 0.0
    for i in range(6):
        total = total + x * i
    return total


def booleans(x):
    seen = False
    count = 0
    while not seen:
        count += 1
        seen = count * x > 5
    return seen, count


def shifted(n):
    k = 0
    for i in range(n):
        k = i
    return 3 << k, -1 << k, 1000 >> k, 0 << (k * 100)
