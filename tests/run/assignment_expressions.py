"""`:=` in tests, operands, arguments and iterables: what it binds is the function's variable.

In a loop's test it is read in the body, after the loop, in both, or nowhere; an operand that may not run
binds it on one path only.
"""

# run: read_in_the_body(np.array([1.0, 2.0, 3.0, 0.5, -1.0])) == 2
# run: divisor(np.int64(48), np.int64(36)) == 12
# run: divisor(48, 36) == 12
# run: halved(np.float64(9.0))
# run: digit_sum(np.int64(1234)) == 10
# run: digit_sum(np.int64(0)) == 0
# run: read_after(np.array([1.0, 2.0, -1.0]))
# run: read_in_both(np.int64(1234))
# run: read_nowhere(np.array([1.0, 2.0, -1.0])) == 2
# run: with_break(np.int64(1234))
# run: with_break(np.int64(3012))
# run: with_break_read_in_the_body(np.int64(1234))
# run: with_continue(np.int64(1234567))
# run: with_else(np.int64(99))
# run: with_else(np.int64(1))
# run: with_return(np.int64(1234))
# run: nested(np.array([12, 345, 6]))
# run: nested_tests(np.array([3, 2, 4]))
# run: two_in_a_test(np.int64(50))
# run: in_and(np.int64(3012))
# run: in_and(np.int64(5))
# run: in_and_of_an_if(np.int64(-1), np.int64(17))
# run: in_and_of_an_if(np.int64(1), np.int64(17))
# run: in_and_of_an_if(np.int64(1), np.int64(10))
# run: in_or(np.int64(3), np.int64(17))
# run: in_or(np.int64(-3), np.int64(17))
# run: in_or(np.int64(-3), np.int64(10))
# run: in_a_nested_chain(np.int64(1), np.int64(0), np.int64(3))
# run: in_a_nested_chain(np.int64(1), np.int64(2), np.int64(3))
# run: in_a_nested_chain(np.int64(0), np.int64(2), np.int64(3))
# run: in_not(np.int64(30))
# run: in_not(np.int64(33))
# run: in_a_chained_comparison(np.int64(1234))
# run: in_a_chained_comparison(np.int64(30))
# run: in_a_conditional_expression(np.int64(1234))
# run: in_a_conditional_expression(np.int64(3))
# run: rebound_in_one_branch(np.int64(1234))
# run: rebound_in_one_branch(np.int64(3))
# raises: unbound_in_one_branch(np.int64(3)) UnboundLocalError
# run: unbound_in_one_branch(np.int64(300))
# run: in_elif(np.int64(30))
# run: in_elif(np.int64(33))
# run: in_elif(np.int64(34))
# run: in_an_iterable(np.array([1.0, 2.0, 3.0]))
# run: in_an_argument(np.float64(2.0))
# run: in_an_index(np.array([4.0, 5.0, 6.0]), np.int64(1))
# run: in_a_stored_index(np.array([4.0, 5.0, 6.0]), np.int64(1))
# run: in_an_update(np.array([4.0, 5.0, 6.0]), np.int64(1))
# run: in_a_formatted_string(np.int64(3))
# run: in_an_assertion(np.int64(3))
# raises: in_an_assertion(np.int64(13)) AssertionError
# run: in_a_return(np.int64(3))
# run: in_a_lambda(np.int64(3))
# run: in_a_comprehension(np.arange(3.0))
# run: in_a_long_comprehension(np.arange(7.0))
# run: in_a_test_and_a_comprehension(np.array([3.0, 1.0]))
# run: of_a_closure(np.int64(1234))
# run: in_a_while_with_and_and_break(np.array([1, 2, 3, 0, 5]))
# run: in_a_while_with_or(np.array([-1, 2, 3, 0, 5]))
# run: of_a_list(np.array([3, 1, 2]))
# run: walked(np.array([1, 2, 0, -1]))
# run: two_operands(np.int64(7), np.int64(3))
# run: two_operands(np.int64(-7), np.int64(3))
# run: same_in_both_branches(np.int64(7))
# run: same_in_both_branches(np.int64(-7))
# run: an_array_in_one_branch(np.array([1.0, 2.0]), np.int64(1))
# run: an_array_in_one_branch(np.array([1.0, 2.0]), np.int64(-1))
# run: inside_a_for(np.array([1, -2, 3]))
# run: in_a_decorator(np.int64(3))
# run: in_a_base(np.int64(3))
# run: in_a_default(np.int64(3))
# run: in_a_match(np.int64(3), 2)
# run: a_pinned_loop(np.array([1.0, 2.0]))

import numpy as np

TOTAL = 0


def read_in_the_body(v):
    i = 0
    n = 0
    while (x := v[i]) > 0:
        i += 1
        if x > 1:
            n += 1
    return n


def divisor(a, b):
    while (r := a % b) != 0:
        a, b = b, r
    return b


def halved(x):
    while (y := x / 2) > 1:
        x = y
    return x


def digit_sum(n):
    s = 0
    while (d := n % 10) > 0:
        s += d
        n //= 10
    return s


def read_after(v):
    i = 0
    while (x := v[i]) > 0:
        i += 1
    return x, i


def read_in_both(n):
    s = 0
    while (d := n % 10) > 0:
        s += d
        n //= 10
    return s, d


def read_nowhere(v):
    i = 0
    while (x := v[i]) > 0:  # noqa: F841
        i += 1
    return i


def with_break(n):
    s = 0
    while (d := n % 10) > 0:
        s += d
        n //= 10
        if s > 7:
            break
    else:
        s += 100
    return s, d


def with_break_read_in_the_body(n):
    s = 0
    while (d := n % 10) > 0:
        if s > 3:
            break
        s += d
        n //= 10
    return s


def with_continue(n):
    s = 0
    while (d := n % 10) > 0:
        n //= 10
        if d % 2 == 0:
            continue
        s += d
    return s


def with_else(n):
    s = 0
    while (d := n % 10) > 3:
        s += d
        n //= 10
    else:
        s = -s - d
    return s


def with_return(n):
    while (d := n % 10) > 0:
        if d == 2:
            return n, d
        n //= 10
    return n, 0


def nested(v):
    s = 0
    for n in v:
        while (d := n % 10) > 0:
            s = 10 * s + d
            n //= 10
    return s


def nested_tests(v):
    i = 0
    s = 0
    while i < len(v) and (n := v[i]) > 1:
        while (m := n - 1) > 0:
            s += n * m
            n = m
        i += 1
    return s, i


def two_in_a_test(n):
    s = 0
    while (q := n // 2) + (r := n % 2) > 1:
        s += r
        n = q
    return s, n


def in_and(n):
    s = 0
    while n > 0 and (d := n % 10) > 0:
        s += d
        n //= 10
    return s, n


def in_and_of_an_if(a, n):
    if a > 0 and (d := n % 10) > 0:
        return d
    return -1


def in_or(a, n):
    d = 100
    if a > 0 or (d := n % 10) > 0:
        return d
    return -d - 1


def in_a_nested_chain(a, b, c):
    x = y = 0
    if (a > 0 and ((x := b + 1) > 2 or (y := c * 2) > 100)) or x == 1:
        return x, y, 1
    return x, y, 2


def in_not(n):
    if not (d := n % 10):
        return d + 1
    return d


def in_a_chained_comparison(n):
    if 0 < (d := n % 10) < (e := n // 10):
        return d + e
    return d


def in_a_conditional_expression(n):
    return 5 if (d := n % 10) > 3 else d


def rebound_in_one_branch(n):
    d = n
    z = (d := n % 10) if n > 100 else n + 1
    return z, d


def unbound_in_one_branch(n):
    z = (d := n % 10) if n > 100 else n + 1
    return z + d


def in_elif(n):
    if not (d := n % 10):
        return d + 1
    elif (e := n % 7) > 5:
        return e
    return d + e


def in_an_iterable(v):
    s = 0.0
    for x in (w := v * 2):
        s += x * w[0]
    return s


def in_an_argument(x):
    return np.sqrt(y := x * 2) + y


def in_an_index(v, i):
    return v[(j := i + 1)] + j


def in_a_stored_index(v, i):
    v = v.copy()
    j = i
    v[(j := i + 1)] = j * 2
    return v, j


def in_an_update(v, i):
    v = v.copy()
    v[i] += (j := i + 1)
    return v, j


def in_a_formatted_string(n):
    print(f"{(d := n * 2)} {d}")
    return d


def in_an_assertion(n):
    assert (d := n % 10) < 10 and n < 10, f"{d}"  # noqa: RUF018
    return d


def in_a_return(n):
    return (d := n * 2) + d


def in_a_lambda(n):
    double = lambda a: (b := a * 2) + b  # noqa: E731
    return double(n)


def in_a_comprehension(v):
    made = [(y := x * 2) + y for x in v]
    return made, y


def in_a_long_comprehension(v):
    made = [(y := x * 2) + y for x in v]
    return made, y


def in_a_test_and_a_comprehension(v):
    if v[0] > 2 and len([z := x * 2 for x in v]) > 1:
        return z
    return v[0]


def of_a_closure(n):
    d = 0

    def last():
        return d

    s = 0
    while (d := n % 10) > 0:
        s += last()
        n //= 10
    return s, last()


def in_a_while_with_and_and_break(v):
    i = 0
    s = 0
    x = -1
    while i < len(v) and (x := v[i]) > 0:
        i += 1
        if x == 2:
            continue
        s += x
        if s > 3:
            break
    else:
        s += 100
    return s, x, i


def in_a_while_with_or(v):
    i = 0
    s = 0
    while i == 0 or (x := v[i]) > 0:
        if i > 0:
            s += x
        i += 1
    return s


def of_a_list(v):
    st = []
    for x in v:
        st.append(x)
    s = 0
    while st and (x := st.pop()) < 3:
        s = 10 * s + x
    return s, len(st)


def walked(v):
    i = -1
    s = 0
    while (i := i + 1) < len(v) and v[i] > 0:
        s += v[i] * i
    return s, i


def two_operands(a, b):
    x = y = 0
    ok = a > 0 and (x := a * b) > 3 and (y := x + b) > 5 and x < y
    return ok, x, y


def same_in_both_branches(n):
    z = (d := n + 1) if n > 0 else (d := n - 1)
    return z, d


def an_array_in_one_branch(v, n):
    w = v
    if n > 0 and (w := v * 2)[0] > 1:
        return w
    return w + 1


def inside_a_for(v):
    s = 0
    for x in v:
        if x > 0 and (y := x * x) > 1:
            s += y
        elif x < 0 and (y := -x):
            s -= y
    return s


def a_pinned_loop(v):
    s = 0.0
    i = 0
    while i < 2 and (x := v[i]) is not None:
        try:
            s += x
        finally:
            i += 1
            if i > 5:
                break
    return s


def in_a_decorator(n):
    def twice(function):
        return lambda x: function(x) * 2

    @(np.ndim(n) == 0 and (k := twice))
    def g(x):
        return x + 1

    return g(n), k is twice


def in_a_base(n):
    class Derived(np.ndim(n) == 0 and (base := object)):
        pass

    return Derived.__mro__[1] is base, n  # noqa: F821


def in_a_default(n):
    def g(x, y=(z := n + 1) if n is not None else 0):
        return x, y

    return g(n), z


def in_a_match(n, kind):
    match kind:
        case 1 if (k := n) is not None:
            return k
        case 2 if n is not None and (k := n + 1) is not None:
            return k + 1
    return n
