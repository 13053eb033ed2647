"""Expressions: order of evaluation, once means once, lambdas, methods, private names."""


def say(x):
    print(x)
    return x


def case_chained_comparison_once():
    return 0 < say(5) < 10, 0 < say(-5) < say(10), 1 < say(2) < say(3) < say(1) < say(9)


def case_chained_comparison_kinds():
    a = [1]
    return 1 in a is not None, a is a == [1] != [2], 2 not in a in [a, [2]], 1 <= 2 >= 2 == 2


def case_lazy_logic():
    return say(0) and say(1), say(1) and say(2) and say(0), say(0) or say("") or say([]), say(3) or say(4)


def case_not_and_in():
    xs = [1, 2]
    return not xs, not 0, 1 in xs, 3 not in xs, not 1 in xs, not (not xs)


def case_conditional_expression_lazy():
    return say(1) if say(True) else say(2), say(1) if say(0) else say(2) if say(0) else say(3)


def case_conditional_in_condition():
    x = 3
    return (x if x > 1 else -x) and (x or 1) if not x == 2 else None


def case_targets_of_comprehensions():
    rows = [(1, (2, [3, 4])), (5, (6, [7, 8]))]
    seen = [[i, a, b, c] for i, (a, [b, c]) in rows], [b for _, (_, (b, _)) in rows if b > 3]
    made = list(i + a for i, (a, _) in rows), {a: c for i, (a, [b, c]) in rows if b > i for b in [1]}
    one, four = [a for (a,) in ["x", "y"]], {a + d for a, b, c, d in [(1, 2, 3, 4)]}
    try:
        few = [a for i, (a, b) in [(1, (2,))]]
    except ValueError as error:
        few = str(error)
    return seen, made, one, four, few


def case_mixed_logic_in_comprehension():
    return [x or y for x in range(2) for y in (x and 5, not x) if x != 1 or y]


def case_lambda_in_logic():
    f = (lambda x: x and -x) or None
    return f(3), f(0), (lambda *a, k=1, **m: a if k else m)(1, 2, k=0, z=3)


def case_lambda_target():
    return [double(3), double(0), pick(1)(2)]


double = lambda x: x * 2 if x else "zero"
pick, drop = lambda a: lambda b: a or b, lambda a: lambda b: a and b


@converts(double, pick)
def case_converted_lambdas():
    return [double(3), double(0), pick(0)(2), drop(0)(2)]


def case_order_of_item_assignment():
    xs = [0, 0]
    xs[say(0)] = say("value")
    log = []

    def base():
        log.append("base")
        return xs

    base()[log.append("index") or 1] = log.append("value") or 5
    return xs, log


def case_order_of_attribute_assignment():
    class Box:
        pass
    log = []

    def box(b=Box()):
        log.append("box")
        return b
    box().a = log.append("value") or 1
    return log, box().a


def case_value_changes_the_variable():
    xs = [0, 0, 0]
    i = 0

    def change():
        nonlocal xs, i
        xs, i = [9, 9, 9], 2
        return 1
    ys = xs
    xs[i] = change()
    return xs, ys, i


def case_several_targets():
    xs = [0, 0, 0]
    i = xs[i] = say(1) if True else 0
    return xs, i


def case_several_targets_in_order():
    xs = [0, 0, 0]
    i = xs[i] = 2
    a = b = c = [1]
    return xs, i, a is b is c


def case_tuple_target_in_order():
    xs = [0, 0, 0]
    i = 0
    xs[i], i = 5, 2
    j, xs[j] = 1, 6
    (xs[2], (k, *xs[0:1])), m = (7, (8, 9, 10)), 11
    return xs, i, j, k, m


def case_tuple_target_fails_half_way():
    xs = [0]
    try:
        xs[0], (a, b) = 1, (2,)
    except ValueError as error:
        return xs, str(error)


def case_augmented_items():
    xs = [1, 2, 3]
    d = {"a": [1]}
    xs[say(1)] += say(10)
    xs[1:] *= 2
    d["a"] += [2]
    alias = d["a"]
    d["a"] += [3]
    xs[0] -= 4
    xs[0] //= 2
    xs[0] **= 2
    xs[0] <<= 2
    xs[0] |= 1
    xs[0] ^= 3
    xs[0] &= 14
    xs[0] %= 5
    xs[0] /= 2
    return xs, d, alias


def case_augmented_attributes():
    class Box:
        n = 1
        items = []
    box = Box()
    box.n += 1
    box.items += [1]
    return box.n, Box.n, Box.items is box.items


def case_augmented_value_reads_the_target_first():
    class Log(list):
        def __getitem__(self, i):
            print("get", i)
            return super().__getitem__(i)

        def __setitem__(self, i, v):
            print("set", i, v)
            super().__setitem__(i, v)
    xs = Log([1, 2])
    xs[say(0)] += say(5)
    xs[0] = xs[1] = 3
    return list(xs)


def case_delete_items():
    class Box:
        pass
    xs, box, y = [1, 2, 3, 4], Box(), 5
    box.a = 1
    del xs[0], xs[1:], box.a, y
    return xs, hasattr(box, "a")


def case_slices():
    xs = list(range(10))
    return xs[1:], xs[:2], xs[::3], xs[-3:-1], xs[:], xs[say(1):say(4):say(2)]


def case_tuple_indices():
    class Grid:
        def __getitem__(self, index):
            return index

        def __setitem__(self, index, value):
            print("set", index, value)
    g = Grid()
    g[1, 2:3] = 4
    g[..., None, ::2] = 5
    t = (7, 8)
    return g[1, 2], g[1:2, ...], g[()], g[(1,)], g[*t], g[1, *t]


def case_f_strings():
    name, width, x = "n\u00e9", 8, 3.14159
    d = {"k": [1, 2]}
    return [
        f"{name}", f"{name!r}", f"{name!a:>{width}}", f"{x:.2f}", f"{x:{width}.{2}f}|", f"{{{name}}}",
        f"{x=}", f"{x = :.1f}", f"{name=!s}", f"a" "b" f"{d['k'][0]}" 'c"', f"{d['k']!s:>10}", f"{say(1)}{say(2)}",
        f"{'nested ' + f'{x:.1f}'}", f"", f"plain", rf"\d{x:.0f}\n", f"""
lines {x}""",
    ]


def case_calls():
    def f(*args, **kwargs):
        return args, sorted(kwargs.items())
    xs, d = [1, 2], {"k": 3}
    return f(), f(1, *xs, 4, k=5), f(*xs, **d), f(function=1, self=2), f(say(1), *[say(2)], z=say(3))


def case_call_errors():
    try:
        (lambda a: a)(1, 2)
    except TypeError as error:
        print(error)
    nothing = None
    nothing()


def case_asserts():
    assert True, boom
    assert 1 < 2
    try:
        assert say(0), say("message")
    except AssertionError as error:
        print(repr(error))
    assert [] == 1


def case_strings_and_literals():
    return 'a' "b", b"x", 1_000, 0x1F, 1e-3, 2j, ..., -1 ** 2, (1,), (), [*range(3)], {*"aa"}, {**{"a": 1}, "b": 2}


def case_dict_and_set_displays_order():
    return {say("k"): say("v"), **{say("k2"): 1}}, {say(1) or 2}


class Base:
    def __init__(self, x):
        self.x = x

    def describe(self):
        return "base", self.x

    @classmethod
    def make(cls, x):
        return cls(x)

    @property
    def value(self):
        return self.x


class Derived(Base):
    __secret = 3

    def __init__(self, x, y):
        super().__init__(x)
        self.__y = y

    def describe(self):
        if self.__y > 0:
            parts = super().describe()
        else:
            parts = (__class__.__name__,)

        def inner(me):
            if me:
                return super().describe()
            return None
        for i in range(2):
            last = [self.__secret + i for _ in range(1)]
        return parts, self.__y, last, inner(self), (lambda self: super().value)(self)

    def private(self, __a, *, __b=2):
        __c = __a + __b
        while __c < 10:
            __c += self.__secret

        class Inner:
            def __m(self):
                return 1
        return __c, sorted(n for n in vars(Inner) if "m" in n and "od" not in n)

    @staticmethod
    def static(n):
        return Derived.__secret if n else -1

    def no_self():
        return super()

    def __repr__(self):
        return f"<{self.x!r}>"


@converts(Derived.describe, Derived.__init__, Derived.private, Derived.static, Derived.__repr__)
def case_methods():
    return (
        Derived(1, 2).describe(), Derived(1, -2).describe(), Derived(0, 0).private(1), Derived.static(1),
        Derived.static(0), repr(Derived("r", 1)),
    )


class __Odd:
    def f(self):
        self.__x = 1
        if self.__x:
            return vars(self)


@converts(__Odd.f)
def case_class_with_underscores():
    return __Odd().f()


def decorate(tag):
    def apply(f):
        print("decorate", tag, f.__name__)
        return f
    return apply


def case_decorators_and_defaults_in_order():
    @decorate(say("first"))
    @decorate("second")
    def f(a=say("default"), *, b=say("keyword")):
        return a, b
    return f()


def positional(a, b=2, /, c=3, *args, d, e=5, **rest):
    if a:
        b += a
    return a, b, c, args, d, e, rest


@converts(positional)
def case_parameters():
    return positional(1, d=4), positional(0, 1, 2, 3, 4, d=5, e=6, f=7)


def case_parameter_reassigned_in_blocks():
    def f(x, *xs, **kw):
        for x in xs:
            if x > 1:
                kw = {**kw, str(x): x}
        return x, xs, kw
    return f(0), f(0, 1, 2, a=1)


def case_parameter_deleted():
    def f(x, c):
        if c:
            del x
        return x
    return f(1, 0), f(1, 1)


def case_parameter_captured():
    def f(n):
        g = lambda: n
        while n < 3:
            n += 1
        return g()
    return f(0)


def case_exceptions_keep_type_and_text():
    def f(x):
        if x == 0:
            return {}["missing"]
        elif x == 1:
            return [][0]
        elif x == 2:
            return 1 / 0
        elif x == 3:
            return None.attribute
        elif x == 4:
            return undefined_name
        else:
            return int("x")
    out = []
    for x in range(6):
        try:
            f(x)
        except Exception as error:
            out.append((type(error).__name__, str(error)))
    return out


def case_truth_is_asked_once():
    class Truth:
        def __bool__(self):
            print("bool")
            return True
    t = Truth()
    if t:
        pass
    if not t:
        pass
    while t and (t := None):
        pass
    return [1 for _ in range(1) if Truth() and Truth()]


def case_rich_comparison_result_is_kept():
    class V:
        def __lt__(self, other):
            return "lt"

        def __eq__(self, other):
            return []
    return V() < 1, V() == 1, V() < V() < V(), V() == V() == V()


def case_unpack_in_return_and_subscript():
    xs = [1, 2]
    if xs:
        return *xs, 3
    return 0


def case_string_methods_in_loop():
    out = ""
    for word in "to be or not".split():
        out += word.capitalize() + ("!" if len(word) > 2 else ".")
    return out


def case_docstring_first():
    def f(x):
        """The docstring."""
        global UNUSED
        for i in range(x):
            UNUSED = i
        return f.__doc__
    return f(1)


def case_lambda_captures_loop_variable_in_block():
    out = []
    for i in range(3):
        if i:
            j = i * 2
            out.append((lambda: i, lambda: j))
    return [(a(), b()) for a, b in out]


def case_generator_argument_in_loop():
    out = []
    for t in range(3):
        if any(x > t for x in range(3)):
            out.append(sum(x * t for x in range(3)))
    return out


def case_sorted_with_key():
    d = {"a": 3, "b": 1}
    if d:
        names = sorted(d, key=lambda k: d[k])
    return names


class Private:
    __z = 5

    def keywords(self):
        return dict(__x=1)

    def patterns(self):
        match self:
            case Private(__z=v):
                return v
        return "no match"

    def imports(self):
        import __missing


@converts(Private.keywords, Private.patterns, Private.imports)
def case_private_names_that_are_not_mangled():
    try:
        Private().imports()
    except ImportError as error:
        print(error)
    return Private().keywords(), Private().patterns()


def case_walrus_in_place_and_value():
    out = []
    n = 0
    xs = [5, 6, 7]
    xs[(n := 1)] = n
    out.append(list(xs))
    n = 0
    xs[n] = (n := 2)
    out.append(list(xs))
    n = 0
    xs[n] += (n := 2)
    out.append(list(xs))
    n = 0
    xs[(n := 1)] += n
    out.append(list(xs))
    n = 0
    xs[n], xs[(n := 2)] = n, (n := 1)
    out.append((list(xs), n))
    return out
