"""Scopes, closures, unbound variables, exceptions that cut statements short."""

import contextlib

COUNTER = 0


def boom():
    raise ValueError("boom")


def case_variable_set_before_an_exception():
    y = 0
    t = True
    try:
        if t:
            y = 1
        boom()
        y = 3
    except ValueError:
        pass
    return y


def case_loop_cut_by_an_exception():
    n = 0
    try:
        for i in range(10):
            n += i
            if i == 4:
                boom()
    except ValueError:
        pass
    return n, i


def case_suppressed_in_with():
    y = 0
    with contextlib.suppress(ValueError):
        if y == 0:
            y = 1
        boom()
        y = 2
    return y


def case_finally_sees_the_variable():
    out = []
    y = 0
    try:
        try:
            if y == 0:
                y = 1
            boom()
        finally:
            out.append(y)
    except ValueError:
        out.append("caught")
    return out


def case_closures_in_a_for_loop_share_a_cell():
    fs = []
    for i in range(3):
        fs.append(lambda: i)
    return [f() for f in fs]


def case_closures_in_a_while_loop_share_a_cell():
    fs = []
    n = 0
    while n < 3:
        m = n * n
        fs.append(lambda: (n, m))
        n += 1
    return [f() for f in fs]


def case_closure_sees_later_assignment():
    v = 1
    rd = lambda: v
    if v:
        v = 2
    return rd()


def case_default_argument_keeps_the_value():
    fs = []
    for i in range(3):
        fs.append(lambda i=i: i)
    return [f() for f in fs]


def case_generator_expression_is_lazy():
    k = 1
    values = (k * v for v in [1, 2, 3])
    if k:
        k = 10
    return list(values)


def case_comprehension_scope_in_a_block():
    x = "outer"
    for n in range(2):
        if n:
            ys = [x for x in range(n + 2)]
            zs = {x: y for x in ys for y in (n, x)}
    return x, ys, zs


def case_comprehension_reads_loop_variable():
    out = []
    for i in range(3):
        k = i + 1
        out.append([i * j for j in range(k) if j != i])
    return out


def case_walrus_in_while():
    data = [1, 2, 0, 3]
    it = iter(data)
    out = []
    while (x := next(it)) != 0:
        out.append(x)
    return out, x


def case_walrus_in_if_and_chain():
    out = []
    for n in range(5):
        if (m := n * 2) > 4 and (k := m + 1):
            out.append((m, k))
    return out, m, k


def case_walrus_in_comprehension():
    out = []
    for limit in (3, 5):
        if any((last := v) > limit for v in range(10)):
            out.append(last)
        ys = [y := v + limit for v in range(3)]
    return out, last, y, ys


def case_walrus_in_while_with_break():
    it = iter(range(10))
    while (x := next(it)) < 8:
        if x == 3:
            break
    return x


def case_walrus_in_conditional_expression():
    a = 3
    b = (c := a + 1) if a > 2 else (c := 0)
    return b, c


def case_walrus_in_assert_and_update():
    xs = [1]
    assert (n := len(xs)) == 1, (m := "message")
    xs[0] += (k := 5)
    return n, k, xs


def case_unbound_in_branch():
    def f(c):
        if c:
            x = 1
        return x
    return [f(True)], f(False)


def case_unbound_read_in_branch():
    def f(c):
        if c > 1:
            x = 1
        if c:
            print(x)
        return "end"
    f(0)
    f(2)
    f(1)


def case_unbound_after_del():
    x = 1
    for i in range(2):
        if i == 1:
            print(x)
        del x
    return x


def case_del_in_branch():
    x = 1
    if x:
        del x
    try:
        return x
    except UnboundLocalError as error:
        return str(error)


def case_del_unbound():
    def f(c):
        if c:
            x = 1
        del x
        return "deleted"
    return f(1), f(0)


def case_augmented_unbound():
    for i in range(2):
        n += 1


def case_unbound_in_lazy_operand():
    def f(c):
        if c:
            x = 1
        return c or x
    f(1)
    f(0)


def case_unbound_in_inner_function():
    def f(c):
        def g():
            return x
        if c:
            x = 1
        return g()
    print(f(1))
    f(0)


def case_unbound_loop_variable_in_closure():
    fs = [lambda: i]
    for i in []:
        fs.append(lambda: i)
    return fs[0]()


def case_except_name_is_unbound_after():
    for i in range(2):
        try:
            if i == 0:
                raise KeyError("k")
        except KeyError as error:
            print(error)
    return error


def case_except_name_hides_and_unbinds():
    error = "before"
    for i in range(2):
        if i == 0:
            try:
                boom()
            except ValueError as error:
                if error:
                    kept = error
    try:
        return error
    except UnboundLocalError as caught:
        return str(caught), str(kept)


def case_except_name_assigned_in_a_branch():
    try:
        boom()
    except ValueError as error:
        if error.args:
            error = "replaced"
        print(error)
    return "end"


def case_except_with_jump_unbinds():
    for i in range(2):
        try:
            if i:
                print(e)
            boom()
        except ValueError as e:
            continue


def case_try_else_finally_order():
    out = []
    for i in range(3):
        try:
            out.append("try")
            if i == 1:
                boom()
        except ValueError:
            out.append("except")
            n = i
        else:
            out.append("else")
            n = -i
        finally:
            out.append(("finally", n))
    return out, n


def case_exception_groups():
    out = []
    for i in range(2):
        try:
            if i:
                raise ExceptionGroup("g", [ValueError("v"), KeyError("k")])
            raise ExceptionGroup("h", [KeyError("k2")])
        except* ValueError as group:
            out.append(("v", len(group.exceptions)))
        except* KeyError as group:
            out.append(("k", len(group.exceptions)))
    return out


def case_raise_from():
    try:
        try:
            boom()
        except ValueError as error:
            if error:
                raise KeyError("new") from error
    except KeyError as error:
        return repr(error.__cause__)


def case_global():
    global COUNTER
    COUNTER = 0
    for i in range(5):
        if i % 2:
            COUNTER += i
    return COUNTER


def case_global_declared_in_a_block():
    if True:
        global MADE
        MADE = 1
        if MADE:
            MADE = 2
    return MADE, globals()["MADE"]


def case_global_deleted_in_a_block():
    global MADE_HERE
    MADE_HERE = 1
    if MADE_HERE:
        del MADE_HERE
    return MADE_HERE


def case_nonlocal():
    n = 0

    def add(k):
        nonlocal n
        if k > 1:
            n += k
        while n < 3:
            n += 1
        return n

    out = [add(k) for k in range(4)]
    if n:
        add(10)
    return out, n


def case_nonlocal_across_three_levels():
    def outer():
        n = 0

        def middle():
            def inner():
                nonlocal n
                for i in range(3):
                    n += i
                return n
            if n == 0:
                inner()
            return inner()
        return middle(), n
    return outer()


def make_counter(start):
    n = start

    def count(step):
        nonlocal n
        if step:
            n += step
        return n
    return count


count = make_counter(5)


@converts(count)
def case_free_variable_is_the_users_cell():
    return count(1), count(0), count(2)


def case_nested_def_in_a_branch():
    c = 1
    if c:
        def f(x):
            if x > 0:
                return f(x - 1) + 1
            return 0
    else:
        def f(x):
            return -1
    return f(4)


def case_def_in_a_loop():
    fs = []
    for i in range(3):
        def f(k, *args, scale=i, **more):
            if k:
                return k * scale + i
            return len(args) + len(more)
        fs.append(f)
    return [f(2) for f in fs], f(0, 1, 2, x=3)


def case_mutual_recursion_of_inner_functions():
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    def odd(n):
        if n == 0:
            return False
        return even(n - 1)
    return even(10), odd(7)


def case_class_in_a_block():
    for i in range(2):
        if i:
            class Point:
                """A point."""
                scale = i

                def __init__(self, x):
                    self.__x = x

                def get(self):
                    if self.__x > 0:
                        return self.__x * i
                    return 0
    return Point(3).get(), Point.scale, Point.__doc__


def case_class_body_reads_function_variables():
    x = 2
    if x:
        x = 3

        class C:
            y = x
            x = "class"
            z = [x for _ in range(2)]
    return C.y, C.x, x


def case_import_in_a_block():
    for i in range(1):
        if i == 0:
            import math
            import os.path
            from functools import reduce as fold
    return math.floor(2.5), fold(lambda a, b: a + b, [1, 2, 3]), os.path.basename("a/b")


def case_annotated_assignments():
    total: int = 0
    for i in range(3):
        step: int = i
        later: str
        if step:
            (total): int = total + step
            later = "set"
    return total, later


def case_annotation_only_makes_a_local():
    if True:
        x: int
    return x


def case_star_targets_in_blocks():
    out = []
    for xs in ([1, 2, 3], [4, 5]):
        if xs:
            first, *rest = xs
            [a, (b, *c)] = first, (rest, 1, 2)
            p = q, *r = xs
        out.append((first, rest, a, b, c, p, q, r))
    return out


def case_swap_in_loop():
    a, b = 0, 1
    while b < 50:
        a, b = b, a + b
    return a, b


def case_with_as_in_loop():
    class Manager:
        def __enter__(self):
            print("enter")
            return 7

        def __exit__(self, *exc):
            print("exit", exc[0])
            return True
    out = []
    for i in range(3):
        with Manager() as m, Manager():
            if i == 1:
                boom()
            out.append(m + i)
    return out, m


def case_with_target_place():
    class Box:
        pass
    box, xs = Box(), {}
    with contextlib.nullcontext(1) as box.a, contextlib.nullcontext(box.a + 1) as xs["k"]:
        if box.a:
            xs["l"] = xs["k"] + 1
    return box.a, xs


def case_names_that_look_generated():
    if_body = branches = holds = did_break = item = value = values = 1
    ag__ = "mine"
    for loop_body in range(3):
        if loop_body == 2:
            break
        if_body += loop_body
    xs = [0]
    xs[len(xs) - 1] = abs(-if_body)
    return if_body, branches, holds, did_break, item, value, values, ag__, xs


def case_slice_and_globals_shadowed():
    slice = None
    xs = [1, 2, 3]
    xs[1:] = [5]
    return xs[0:2], slice


def case_deep_nesting():
    out = 0
    for a in range(3):
        if a:
            for b in range(3):
                if b != a:
                    while b < 5:
                        b += 1
                        if b == 4:
                            continue
                        t = a * b
                        out += t
    return out, a, b, t


def case_type_of_function_attributes():
    def f(x: int = 3, *, y: str = "y") -> int:
        """Doc."""
        for i in range(x):
            pass
        return i
    return f.__doc__, f.__defaults__, f.__kwdefaults__, f.__annotations__, f.__name__, f()


def numbers():
    for i in range(3):
        yield i


@converts(numbers)
def case_left_generator():
    return list(numbers())


def case_inner_generator():
    def gen(n):
        total = 0
        for i in range(n):
            if i % 2:
                continue
            total += i
            yield total
    out = []
    for v in gen(6):
        out.append(v)
    return out


def case_inner_async():
    import asyncio

    async def work(n):
        s = 0
        for i in range(n):
            if i == 2:
                continue
            s += i
            await asyncio.sleep(0)
        return s
    k = 4
    if k:
        k = 5
    return asyncio.run(work(k))


def case_inner_locals():
    def f(a):
        b = a
        return sorted(locals())
    if f:
        return f(1)


def case_dir_with_argument():
    return "append" in dir([]), vars(type("T", (), {"a": 1}))["a"]


def case_recursion_by_global_name():
    return factorial(10)


@converts(case_recursion_by_global_name)
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@converts(factorial)
def case_converted_recursion():
    return factorial(6)


@converts(case_recursion_by_global_name)
def case_deep_recursion():
    def depth(n):
        if n == 0:
            return 0
        return depth(n - 1) + 1
    return depth(150)


def case_variables_only_in_a_finally():
    out = []
    for i in range(2):
        try:
            if i:
                boom()
        except ValueError:
            pass
        finally:
            if i:
                t = i * 2
            else:
                t = -1
            out.append(t)
    return out, t


def case_match_guard_and_alternatives():
    out = []
    for x in [1, 2.5, "s", [1, [2, 3]], {"a": {"b": 4}}, None]:
        match x:
            case int() | float() as number if number > 2:
                kind = "large"
            case int():
                kind = "int"
            case [first, [*rest]]:
                if rest:
                    kind = (first, rest)
            case {"a": {"b": value}}:
                kind = value
            case None:
                kind = None
            case _:
                kind = "other"
        out.append(kind)
    return out


def case_qualified_names():
    out = []
    for i in range(1):
        if i == 0:
            class C:
                def m(self):
                    return lambda: 0

            def f():
                class D:
                    pass
                return D
            g = lambda: 1
    return C.__qualname__, C.m.__qualname__, C().m().__qualname__, f.__qualname__, f().__qualname__, g.__qualname__


def case_names_shared_with_inner_scopes():
    out = []
    client: int
    for client in range(2):
        out.append([client for client in "ab"])

    def f(client):
        x = client
        for y in range(2):
            x += y
        return x

    for x in range(2):
        class C:
            x = y = 3
        out.append((lambda y: y)(x))
    return out, client, f(1), x, C.y


def case_deleted_in_a_branch_and_read_by_a_function():
    out = []
    for b in range(2):
        n = b

        def read():
            return n
        if b:
            del n
        try:
            out.append(read())
        except NameError as error:
            out.append(str(error))
    return out
