# group: Expressions
# plain: f(5)
# plain: f(-5)
# staged: f(np.int64(5))
# staged: f(np.int64(-5))
# plain: loop(5)
# staged: loop(np.int64(5))
# plain: comprehension(5)
# plain: lazily(0)
# plain: lazily(1)
# staged: comprehension(np.int64(5))
# staged: read_in_the_body(np.int64(1234))
# plain: in_lambda(0)
# plain: in_lambda(1)
# staged: in_lambda(np.int64(1))
# plain: unbound_in_operand(0)
"""`:=` in tests, operands and comprehensions"""


def f(x):
    if (y := x * 2) > 3:
        return y + 1
    return y - 1


def loop(n):
    total = 0
    while (n := n - 1) > 0:
        total += n
    return total, n


def comprehension(x):
    values = [last := i + x for i in range(3)]
    return values, last


def lazily(x):
    y = 5
    z = x and (y := 7)
    return y, z


def read_in_the_body(n):
    total = 0
    while n > 0 and (digit := n % 10) > 2:
        total += digit
        n //= 10
    return total, n


def in_lambda(x):
    return (lambda z: (y := z + 1) and (y if x > 0 else -y))(x)


def unbound_in_operand(x):
    return (lambda: (y := (1 if x else y)))()
