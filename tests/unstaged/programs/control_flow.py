"""if, while, for, and the jumps."""

import contextlib


def case_if_else():
    out = []
    for n in (-1, 0, 1, 5):
        if n < 0:
            kind = "negative"
        elif n == 0:
            kind = "zero"
        elif n < 3:
            kind = "small"
        else:
            kind = "large"
        out.append(kind)
    return out


def case_while_counts():
    n, steps = 27, 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return n, steps


def case_for_target_visible_after():
    total = 0
    for i in range(4):
        total += i
    return i, total


def case_for_over_nothing_leaves_target_unbound():
    for i in []:
        pass
    return i


def case_break():
    for i in range(10):
        if i == 3:
            break
        print(i)
    return i


def case_break_does_not_advance_the_iterator():
    it = iter(range(10))
    for i in it:
        if i == 3:
            break
    return next(it)


def case_continue():
    out = []
    for i in range(10):
        if i % 2:
            continue
        if i == 4:
            continue
        out.append(i)
    return out


def case_continue_nested_flag():
    out = []
    for i in range(10):
        if i > 2:
            if i % 3 == 0:
                continue
            out.append(("big", i))
        out.append(i)
    return out


def case_break_nested_flag():
    out = []
    for i in range(10):
        if i > 2:
            if i % 5 == 0:
                break
            out.append(("big", i))
        out.append(i)
    out.append("end")
    return out


def case_break_and_continue_both():
    out = []
    i = 0
    while i < 100:
        i += 1
        if i % 3 == 0:
            if i % 2 == 0:
                continue
            else:
                if i > 20:
                    break
            out.append("odd")
        out.append(i)
    return out, i


def case_break_or_continue_in_both_branches():
    out = []
    for i in range(10):
        if i % 2:
            if i == 7:
                break
            else:
                continue
        out.append(i)
    return out


def case_for_else_without_break():
    for i in range(3):
        pass
    else:
        i = "else"
    return i


def case_for_else_with_break():
    out = []
    for limit in (2, 20):
        for i in range(10):
            if i > limit:
                break
        else:
            out.append("else")
        out.append(i)
    return out


def case_while_else():
    out = []
    for stop in (3, 30):
        n = 0
        while n < 10:
            n += 1
            if n == stop:
                break
        else:
            out.append("else")
        out.append(n)
    return out


def case_else_of_inner_loop_breaks_the_outer():
    out = []
    for i in range(5):
        for j in range(3):
            if j == 2 and i < 3:
                break
        else:
            out.append("break")
            break
        out.append((i, j))
    return out


def case_while_true_break():
    n = 0
    while True:
        n += 1
        if n > 5:
            break
    return n


def case_test_not_evaluated_after_break():
    def test():
        print("test")
        return True
    n = 0
    while test():
        n += 1
        if n == 2:
            break
    return n


def case_early_returns():
    def f(x):
        if x < 0:
            return "negative"
        if x == 0:
            return "zero"
        print("positive")
        return x * 2
    return [f(-1), f(0), f(4)]


def case_return_in_loop():
    def find(xs, wanted):
        for i, x in enumerate(xs):
            if x == wanted:
                return i
        return -1
    return [find([3, 4, 5], 4), find([3], 9), find([], 0)]


def case_return_in_loop_falls_off():
    def find(xs, wanted):
        for x in xs:
            if x == wanted:
                return x
    return [find([3, 4, 5], 4), find([3], 9)]


def case_return_in_nested_loops():
    def find(rows, wanted):
        for r, row in enumerate(rows):
            c = 0
            while c < len(row):
                if row[c] == wanted:
                    return r, c
                c += 1
            print("row", r)
        else:
            print("nowhere")
        return None
    rows = [[1, 2], [3, 4], [5]]
    return [find(rows, 3), find(rows, 9)]


def case_return_in_while_true():
    def f(n):
        while True:
            n -= 3
            if n < 0:
                return n
    return f(10)


def case_return_break_and_continue():
    def f(xs):
        total = 0
        for x in xs:
            if x == 0:
                continue
            if x < 0:
                if x < -10:
                    return "very negative"
                break
            total += x
        else:
            return ("all", total)
        return ("some", total)
    return [f([1, 0, 2]), f([1, -1, 5]), f([1, -11]), f([])]


def case_return_in_some_branches():
    def f(a, b):
        if a:
            if b:
                return "both"
            print("a only")
        elif b:
            return "b only"
        print("end")
        return "none"
    return [f(a, b) for a in (0, 1) for b in (0, 1)]


def case_return_falls_off_in_branch():
    def f(a):
        if a > 0:
            return a
        elif a < 0:
            print("negative")
    return [f(1), f(-1), f(0)]


def case_return_none_and_bare():
    def f(a):
        if a:
            return
        return None
    return [f(1), f(0)]


def case_return_after_raise():
    def f(a):
        if a:
            raise ValueError("bad")
        return a
    try:
        f(1)
    except ValueError as error:
        return str(error), f(0)


def case_code_after_return():
    def f():
        return 1
        x = 2
    return f()


def case_dead_code_makes_a_local():
    def f():
        print(x)
        return 1
        x = 2
    return f()


def case_break_in_try():
    out = []
    for i in range(5):
        try:
            if i == 3:
                break
            out.append(i)
        finally:
            out.append("finally")
    else:
        out.append("else")
    return out


def case_continue_in_try_with_handlers():
    out = []
    for i in [1, 0, 2]:
        try:
            out.append(10 // i)
        except ZeroDivisionError:
            if i == 0:
                continue
        out.append(i)
    return out


def case_return_in_with():
    def f(x):
        with contextlib.suppress(ValueError):
            if x > 0:
                return "positive"
            raise ValueError
        return "suppressed"
    return [f(1), f(-1)]


def case_return_in_with_and_elsewhere():
    def f(x):
        if x == 0:
            return "zero"
        for i in range(x):
            with contextlib.nullcontext():
                if i == 2:
                    return "two"
        return "end"
    return [f(0), f(1), f(5)]


def case_return_in_finally():
    def f():
        try:
            raise ValueError
        finally:
            return "finally"
    return f()


def case_return_in_match():
    def f(x):
        match x:
            case [a, b]:
                return a + b
            case {"k": v, **rest}:
                return v, rest
            case str() as s if len(s) > 2:
                return s
            case _:
                pass
        return "nothing"
    return [f([1, 2]), f({"k": 1, "l": 2}), f("abc"), f("a"), f(None)]


def case_break_in_match_in_loop():
    out = []
    for x in [1, 2, "stop", 3]:
        match x:
            case "stop":
                break
            case 2:
                continue
        out.append(x)
    return out


def case_match_binds():
    out = []
    for x in [(1, 2), (3,), "other"]:
        match x:
            case (a, b):
                if a:
                    out.append(a + b)
            case (a,):
                out.append(a)
            case other:
                out.append(other)
    return out, a, other


def case_unpinned_inside_pinned():
    n = 0
    while True:
        try:
            n += 1
            if n % 2:
                m = n * 10
            else:
                m = -n
            if n > 4:
                break
        except ValueError:
            pass
    return n, m


def case_pinned_loop_in_unpinned_loop():
    out = []
    for i in range(3):
        while True:
            try:
                break
            finally:
                out.append(i)
        if i == 1:
            break
    return out


def case_nested_loops_with_flags():
    out = []
    for i in range(4):
        for j in range(4):
            if j == 2:
                break
            for k in range(4):
                if k == j:
                    continue
                if k == 3:
                    break
                out.append((i, j, k))
        if i == 2:
            break
    return out, i, j, k


def case_loop_over_changing_list():
    xs = [1, 2, 3]
    for x in xs:
        if x < 3 and len(xs) < 8:
            xs.append(x + 1)
    return xs


def case_star_and_nested_targets():
    out = []
    for a, (b, *c) in [(1, (2, 3, 4)), (5, (6,))]:
        out.append((a, b, c))
    return out, a, b, c


def case_item_and_attribute_targets():
    class Box:
        pass
    box, xs = Box(), [0, 0, 0]
    for xs[0], box.value in [(1, 2), (3, 4)]:
        xs[1] += xs[0]
    for i, xs[i] in enumerate("abc"):
        pass
    return xs, box.value


def case_else_after_return_in_loop():
    def f(xs):
        for x in xs:
            if x:
                return x
        else:
            print("else")
        print("after")
    return f([0, 2]), f([0])


def case_while_with_complex_test():
    a, b = 0, 10
    while a < b and not a * a > 30 or a == 6:
        a += 1
    return a, b


def case_break_in_the_else_of_an_if():
    n = 0
    while n < 10:
        if n < 5:
            n += 2
        else:
            break
        print(n)
    return n


def case_empty_bodies():
    for _ in range(3):
        pass
    while False:
        pass
    if True:
        pass
    else:
        pass
    return _


def case_loop_variable_reassigned():
    out = []
    for i in range(5):
        i *= 2
        out.append(i)
    return out, i


def case_exception_from_iterator():
    def broken():
        yield 1
        raise KeyError("broken")
    seen = []
    try:
        for x in broken():
            seen.append(x)
    except KeyError as error:
        seen.append(error.args)
    return seen


def case_stop_iteration_in_body_passes():
    for x in [1]:
        next(iter([]))


def case_for_over_non_iterable():
    for x in 5:
        pass


class Noisy:
    def __init__(self, swallows=False):
        self.swallows = swallows

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, value, trace):
        print("exit", kind and kind.__name__)
        return self.swallows


def case_jumps_out_of_with():
    def f(xs, swallows):
        for x in xs:
            with Noisy(swallows):
                if x == 0:
                    continue
                if x == 1:
                    return 10 // x
                with Noisy():
                    if x == 2:
                        break
                    if x == 3:
                        return 1 // 0
                print("body", x)
            print("after", x)
        else:
            return "else"
        return "end"
    out = [f([0, 4, 1], False), f([4, 2, 1], False), f([4], True), f([3, 1], True)]
    return out, f([3], False)


def case_swallowed_return_value():
    def f():
        with contextlib.suppress(ZeroDivisionError):
            return 1 // 0
    def g():
        with contextlib.suppress(ZeroDivisionError):
            return 1 // 0
        return "after"
    return f(), g()


def case_return_from_with_in_branches():
    def f(x):
        if x < 0:
            return "negative"
        with Noisy() as n:
            if x:
                return x, n.swallows
            y = 5
        return y
    return f(-1), f(0), f(1)


def case_with_around_loop():
    with Noisy():
        while True:
            with Noisy(True):
                raise ValueError
            break
        for i in range(5):
            if i == 2:
                break
    return i
