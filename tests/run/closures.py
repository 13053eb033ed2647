# run: in_an_expression(np.int64(-1)) == (0, 5)
# run: in_an_expression(np.int64(4)) == (1, 1)
# run: in_and(np.int64(-1))
# run: in_and(np.int64(5))
# run: passed_on(np.int64(-1)) == 0
# run: passed_on(np.int64(1)) == 1
# run: in_a_loop_elsewhere(np.int64(4))
# run: defined_in_a_branch(np.float64(2.0))
# run: defined_in_a_branch(np.float64(-2.0))
# run: two_levels(np.int64(3))
# run: late_binding(np.float64(3.0))
"""Inner functions that write variables of the functions around them, called in staged blocks."""


def in_an_expression(x):
    y = 0

    def bump():
        nonlocal y
        y += 1
        return y

    z = bump() if x > 3 else 5
    return y, z


def in_and(x):
    asked = 0

    def ask():
        nonlocal asked
        asked += 1
        return asked > 0

    is_large = x > 3 and ask()
    is_small = x < -3 or ask()
    return asked, bool(is_large), bool(is_small)


def helper(g, x):
    if x > 0:
        g()


def passed_on(x):
    y = 0

    def bump():
        nonlocal y
        y += 1
        return y

    helper(bump, x)
    return y


def repeat(g, n):
    for i in range(n):
        g(i)


def in_a_loop_elsewhere(n):
    total = 0
    last = -1

    def add(i):
        nonlocal total, last
        total += i
        last = i

    repeat(add, n)
    return total, last


def defined_in_a_branch(x):
    y = 0.0 * x
    if x > 0:

        def bump():
            nonlocal y
            y += x

        bump()
        helper(bump, x)
    return y


def two_levels(n):
    count = 0

    def outer():
        def inner():
            nonlocal count
            count += 2

        helper(inner, n)
        inner()

    repeat(lambda i: outer(), n)
    return count


def late_binding(x):
    factor = 1.0

    def scale(v):
        return v * factor

    if x > 0:
        factor = 3.0
    return scale(x)
