"""Every statement of the grammar, one case each, inside blocks that are converted."""

import asyncio
import contextlib


def case_expression_statement():
    seen = []
    for i in range(3):
        seen.append(i)
        ...
        "text"
    return seen


def case_assignment():
    a = b = [1, 2, 3]
    if a:
        (c, *d), e = [a, b[0]]
        [f, (g, *_)] = 1, (2, 3)
        a[0], b[1:] = 9, [8, 7]
    return a, b, c, d, e, f, g


def case_augmented_assignment():
    a, box = 7, [7.0]
    for _ in range(2):
        a += 1; a -= 3; a *= 5; a //= 2; a %= 100; a **= 2; a <<= 1; a >>= 1; a |= 8; a ^= 3; a &= 0xFFF
        box[0] /= 2

    class Matrix:
        def __imatmul__(self, other):
            return ("matmul", other)

    m = Matrix()
    m @= 2
    return a, box, m


def case_annotated_assignment():
    if True:
        a: int = 1
        b: undefined_name
        (c): str = "c"
        box = [0]
        box[0]: int = a
        box[a - 1]: int
    return a, c, box


def case_delete():
    a, b, c = 1, 2, [1, 2, 3]
    if c:
        del a, (b, c[0]), [c[0]]
        found = sorted(locals())
    return c, found


def case_pass():
    for i in range(2):
        if i:
            pass
        else:
            pass
    return i


def case_return_of_a_starred_tuple():
    a = [1, 2]
    for _ in a:
        if a:
            return *a, 3
    return ()


def case_raise():
    found = []
    for kind in (ValueError, ValueError("v"), None):
        try:
            if kind is None:
                raise KeyError from ValueError("cause")
            raise kind
        except (ValueError, KeyError) as error:
            found.append((type(error).__name__, error.args, repr(error.__cause__)))
    return found


def case_assert():
    found = []
    for i in range(3):
        try:
            assert i != 1, f"it is {i}"
            assert i < 2
        except AssertionError as error:
            found.append(error.args)
    return found


def case_import():
    for _ in range(1):
        import os.path
        import os.path as path
        from math import floor, sqrt as root
        from collections import abc
    return os.path is path, floor(root(17)), abc.__name__


def case_global_and_nonlocal():
    n = 0

    def inner():
        nonlocal n
        global made_by_statements
        for i in range(3):
            n += i
            made_by_statements = n
        return n

    return inner(), n, made_by_statements


def case_if_elif_else():
    found = []
    for i in range(4):
        if i == 0:
            found.append("zero")
        elif i == 1:
            found.append("one")
        elif i == 2:
            pass
        else:
            found.append("more")
    return found


def case_while_else():
    n = 3
    while n:
        n -= 1
        if n == 5:
            break
    else:
        return "ended"


def case_for_over_a_starred_tuple():
    a, seen = [1, 2], []
    for x in *a, 3:
        seen.append(x)
    return seen


def case_for_with_targets_of_all_kinds():
    box, seen = {}, []
    for box["k"], [a, *b] in [(1, (2, 3, 4)), (5, "67")]:
        seen.append((dict(box), a, b))
    return seen


def case_try_of_all_clauses():
    seen = []
    for i in (0, 1, "x"):
        try:
            seen.append(1 / i)
        except ZeroDivisionError:
            seen.append("zero")
        except (TypeError, ValueError) as error:
            seen.append(type(error).__name__)
        else:
            seen.append("else")
        finally:
            seen.append("finally")
    return seen


def case_bare_except():
    seen = []
    for i in range(2):
        try:
            [1][i]
        except:
            seen.append(i)
    return seen


@contextlib.contextmanager
def held(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("exit", name)


def case_with():
    seen = []
    for i in range(2):
        with held(i) as a, held(i + 10) as (b):
            seen.append((a, b))
        with (
            held("x") as c,
            held("y"),
        ):
            seen.append(c)
    return seen


def case_function_definition_with_all_parameters():
    def f(a, b=2, /, c=3, *rest, d, e=5, **more) -> "text":
        """Said."""
        if a:
            return a, b, c, rest, d, e, more
        return f.__doc__

    return f(1, d=4), f(1, 2, 3, 4, 5, d=6, g=7), f(0, d=1), f.__annotations__, f.__defaults__


def case_decorators():
    def add(n):
        def decorate(f):
            return lambda *args: f(*args) + n
        return decorate

    table = {"add": add}
    for n in range(2):
        @table["add"](n)
        @(lambda f: f)
        def f(x):
            return x * 2
    return f(5)


def case_class_definition():
    class Meta(type):
        def __new__(cls, name, bases, space, **options):
            made = super().__new__(cls, name, bases, space)
            made.options = options
            return made

    found = []
    for n in range(2):
        class Made(*(list,), metaclass=Meta, size=n):
            """Doc."""
            field: int = n
            twice = [n * i for i in range(2)]

            def __len__(self):
                return super().__len__() + self.field

            @property
            def value(self):
                if self:
                    return "some"
                return "none"

        found.append((Made.options, Made.twice, len(Made([1])), Made().value, Made.__doc__))
    return found


def case_async_function():
    class Counter:
        def __init__(self, n):
            self.n = n

        def __aiter__(self):
            return self

        async def __anext__(self):
            if not self.n:
                raise StopAsyncIteration
            self.n -= 1
            return self.n

        async def __aenter__(self):
            return self

        async def __aexit__(self, *error):
            self.n = -1

    async def work():
        seen = []
        async with Counter(3) as counter:
            async for i in counter:
                if i == 1:
                    continue
                seen.append(i)
            else:
                seen.append("else")
        seen += [i async for i in Counter(2)]
        seen.append(await asyncio.sleep(0, "slept"))
        return seen, counter.n

    result = None
    if result is None:
        result = asyncio.run(work())
    return result


def case_generators():
    def inner():
        received = yield 1
        while received:
            received = yield received * 2
        return "done"

    def outer():
        result = yield from inner()
        yield result

    made = outer()
    seen = [next(made)]
    for value in (3, 4, 0):
        seen.append(made.send(value))
    return seen
