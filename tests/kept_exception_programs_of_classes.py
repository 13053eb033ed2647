"""More programs that keep exceptions: of classes with manners of their own, in all kinds of statements."""

from __future__ import annotations

import contextlib
import dataclasses


def tried(x, k):
    if x > k:
        raise ValueError(f"bad {k}")
    return x * k


class Plain(Exception):
    pass


class Equal(Exception):
    def __eq__(self, o):
        return isinstance(o, Equal) and self.args == o.args

    __hash__ = None


class Truthful(Exception):
    def __bool__(self):
        return self.args[0] > 1


class Slotted(Exception):
    __slots__ = ("a",)

    def __init__(self, a):
        super().__init__(a)
        self.a = a


@dataclasses.dataclass
class OfDataclass(Exception):
    code: int
    x: float


def more_mutated(x, n):
    last = None
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            e.extra = x * k
            last = e
    return None if last is None else last.extra


def more_args_set(x, n):
    last = None
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            e.args = (k, x)
            last = e
    return str(last)


def more_rec(x, n):
    def rec(k):
        if k <= 0:
            return None
        try:
            tried(x, k)
        except ValueError as e:
            return e
        return rec(k - 1)

    return str(rec(n))


def more_list_ops(x, n):
    errors = []
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            errors.append(e)
    print(errors)
    if len(errors) > 1:
        a = errors.pop()
        return [str(e) for e in reversed(errors)], errors[0] is errors[-1], a is errors[0], str(a)
    return [str(e) for e in errors], True, True, ""


def more_nonlocal(x, n):
    last = None

    def go(k):
        nonlocal last
        try:
            tried(x, k)
        except ValueError as e:
            last = e

    for k in range(n):
        go(k)
    if last is not None:
        raise last
    return n


def more_finally(x, n):
    last = None
    c = 0
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            last = e
        finally:
            c += 1
    return c, str(last)


def more_plain_key(x, n):
    d = {"a": 1.0}
    last = None
    for k in range(n):
        try:
            if x > k:
                d["b"]
        except KeyError as e:
            last = e
    return repr(last), type(last).__name__


def more_oserror(x, n):
    last = None
    for k in range(n):
        try:
            if x > k:
                raise FileNotFoundError(2, "none", "f.txt")
        except OSError as e:
            last = e
    return (None, None, None) if last is None else (last.errno, last.filename, str(last))


def more_stop(x, n):
    last = None
    for k in range(n):
        try:
            if x > k:
                raise StopIteration(k)
        except StopIteration as e:
            last = e
    return -1 if last is None else last.value


def more_eq(x, n):
    a = Equal(0)
    for k in range(n):
        if x > k:
            a = Equal(k)
    return a == Equal(1), a == Equal(0)


def more_bool(x, n):
    a = Truthful(0)
    for k in range(n):
        if x > k:
            a = Truthful(k)
    if a:
        return 1
    return 0


def more_slots(x, n):
    a = Slotted(0)
    for k in range(n):
        if x > k:
            a = Slotted(k)
    return a.a, a.args


def more_dc(x, n):
    a = OfDataclass(0, 0.0)
    for k in range(n):
        if x > k:
            a = OfDataclass(k, x)
    return a.code, a.x, a == OfDataclass(1, x), a.args


def more_assert(x, n):
    last = None
    for k in range(n):
        try:
            assert x <= k, f"at {k}"
        except AssertionError as e:
            last = e
    if last is None:
        return 0
    raise last


def more_dict_by_key(x, n):
    d = {}
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            d[k] = e
    return [f"{k} {e}" for k, e in d.items()]


def more_gen(x, n):
    def errs():
        for k in range(n):
            try:
                tried(x, k)
            except ValueError as e:
                yield e

    last = None
    for e in errs():
        last = e
    return str(last)


def more_suppress(x, n):
    last = Plain("x")
    with contextlib.suppress(ValueError):
        for k in range(n):
            if x > k:
                last = Plain(k)
            tried(x, k)
    return str(last)


def more_swap(x, n):
    a, b = ValueError("a"), ValueError("b")
    for k in range(n):
        if x > k:
            a, b = b, a
    return str(a), str(b), a is b


def more_same_twice(x, n):
    a = ValueError("a")
    b = a
    for k in range(n):
        if x > k:
            b = ValueError(k)
    return a, b, a is b


def more_dictres(x, n):
    last = None
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            last = e
    return {"a": last, "b": (last, [last])}


def more_ctx(x, n):
    last = None
    try:
        if n > 1:
            raise KeyError(n)
    except KeyError:
        try:
            if x > 1:
                raise ValueError(x)
        except ValueError as e:
            last = e
    if last is None:
        return 0
    raise last


def more_ctx2(x, n):
    last = None
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            last = e
            try:
                if x > 2:
                    raise KeyError(k)
            except KeyError as f:
                last = f
    if last is not None:
        raise RuntimeError(n) from last
    return 0


def more_while(x, n):
    k = 0
    last = None
    while True:
        try:
            y = tried(x, k)
            break
        except ValueError as e:
            last = e
            k += 1
    return y, k, str(last)


def more_max(x, n):
    errors = [ValueError(k) for k in range(3)]
    best = errors[0]
    for e in errors:
        if x > e.args[0]:
            best = e
    return best.args[0], best is errors[1]


def more_prior(x, n):
    last = None
    prev = None
    for k in range(n):
        try:
            tried(x, k)
        except ValueError as e:
            prev = last
            last = e
    return str(prev), str(last), prev is last


def more_ternary(x, n):
    e = ValueError(n) if x > 1 else None
    return e is None, str(e or "none")


def more_isin(x, n):
    e = ValueError(n) if x > 1 else KeyError(n)
    fs = {ValueError: 1, KeyError: 2}
    return fs[type(e)]


def more_raise_in_fn(x, n):
    def check(e):
        if e is not None:
            raise e

    e = ValueError(n) if x > 1 else None
    try:
        check(e)
    except ValueError as f:
        return f is e, f.args
    return False, ()


def more_addnote(x, n):
    e = ValueError(n)
    e.add_note("a")
    if x > 1:
        raise e
    return 0


def more_handler_mut_after(x, n):
    try:
        if x > 1:
            raise ValueError(n)
    except ValueError as e:
        last = e
        e.extra = 5
        last.more = 6
        return last.extra + e.more
    return 0


def more_exitargs(x, n):
    class M:
        kind = None

        def __enter__(self):
            return self

        def __exit__(self, kind, error, tb):
            self.kind = error
            return True

    m = M()
    with m:
        tried(x, n)
    return str(m.kind), m.kind is None


PROGRAMS = [
    one
    for one in list(globals().values())
    if getattr(one, "__module__", "") == __name__
    and callable(one)
    and not isinstance(one, type)
    and one is not tried
]
