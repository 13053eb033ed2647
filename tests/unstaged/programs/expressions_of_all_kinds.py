"""Every expression of the grammar, one case each, inside blocks that are converted."""


def case_boolean_and_named_expressions():
    found = []
    for i in range(3):
        if (half := i / 2) and not i % 2 or i == 1:
            found.append(half)
    return found, half


def case_binary_operators():
    class Matrix:
        def __matmul__(self, other):
            return ("matmul", other)

    for a in (7, 9):
        found = [a + 2, a - 2, a * 2, a / 2, a // 2, a % 4, a**2, a << 1, a >> 1, a | 8, a ^ 3, a & 6]
        found.append(Matrix() @ a)
    return found


def case_unary_operators():
    return [(-a, +a, ~a, not a) for a in (0, 5)]


def case_lambda_with_all_parameters():
    f = lambda a, /, b=2, *rest, c, d=4, **more: (a, b, rest, c, d, more)
    if f:
        return f(1, c=3), f(1, 2, 3, c=4, e=5), (lambda: None)()


def case_conditional_expression():
    return ["even" if i % 2 == 0 else "three" if i == 3 else "odd" for i in range(5)]


def case_displays():
    a, b = [1, 2], {"k": 1}
    if a:
        return [*a, 3], (*a, *a), {*a, 1}, {**b, "l": 2, **{"k": 3}}, (), (1,), {}, []


def case_comprehensions():
    n = 3
    while n < 5:
        n += 1
    return (
        [x * y for x in range(n) if x % 2 for y in range(x) if y],
        sorted({x % 3 for x in range(n)}),
        {x: [y for y in range(x)] for x in range(n) if x},
        list(x + n for x in range(n)),
        [[x, y] for x, *y in ["abc", "de"]],
    )


def case_comparisons():
    a, b = 1, [1]
    if b:
        return (a < 2 <= 2 != 3, a == 1 > 0, a in b, a not in b, b is b, b is not None, 3 >= 3 > a in b)


def case_calls_with_all_arguments():
    def f(*args, **kwargs):
        return args, kwargs

    a, k = [1, 2], {"x": 1}
    for _ in range(1):
        return f(0, *a, 3, *a, y=2, **k, z=4), f(*a, **k), f(i for i in a) is not None, f()


def case_attributes_and_subscripts():
    class Box:
        def __getitem__(self, index):
            return index

    box = Box()
    box.field = [1, 2, 3]
    for i in range(1):
        return (
            box.field[i], box.field[-1], box.field[1:], box.field[::2], box[1:2, ::3, ...], box[*box.field, 4],
            box[()], box[i:i, ], "text"[i], box.__class__.__name__,
        )


def case_literals():
    values = [0, 0x1F, 0o17, 0b11, 1_000, 1.5e3, 1j, "a" 'b', r"\n", b"b\x00", """x
y""", u"u", True, None, ...]
    if values:
        return values, __debug__


def case_f_strings():
    found = []
    for x, width in ((1.5, 8), ("é", 4)):
        found.append(f"{x} {x!r:>{width}} {{}} {x!s} {x!a}" f"{width:04d}" "plain" rf"\d{x}" f"{x=} {width = :>3}")
        found.append(f"{f'{x}' + '!'} {(lambda: x)()} {'a' if x else 'b'} {[y for y in 'ab']}")
    return found


def case_starred_in_index_and_return():
    a = (1, 2)
    table = {(1, 2): "pair", (0, 1, 2): "triple"}
    if a:
        return table[*a], table[0, *a]
