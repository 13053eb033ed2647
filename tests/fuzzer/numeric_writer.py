"""Random programs over NumPy values: control flow, arithmetic, objects, lists, closures, exceptions.

They are what the native back-end stages: numbers, an array that is written in place, arrays that may
be one and the same, an array that changes its size, an object with attributes and methods, a list, a
closure that writes a variable, a variable that may be `None`, helper functions.

>>> NumericWriter(3).program().splitlines()[0]
'class Point:'
"""

from __future__ import annotations

import random

from fuzzer.avoided import AVOIDED

NAMES = ("a", "b", "c")

PROLOGUE = """\
class Point:
    def __init__(self, v, w):
        self.v = v
        self.w = w
    def move(self, by):
        if by > 1:
            self.v = self.v + by
        else:
            self.w -= by
        return self.v
    def norm(self):
        return self.v * self.v % 17 + self.w
def helper(a, b=2):
    if a > b:
        return a - b
    return b % 7
def stops(a, limit):
    if a > limit:
        raise ValueError("beyond the limit")
    return a + 1
"""

CHANGES = (
    "P.append(N)",
    "P.append(N)",
    "P.append(N)",
    "if P: c = (c + P.pop()) % 50",
    "if P: c = (c + P.pop(I)) % 50",
    "P.pop()",
    "P.insert(I, N)",
    "P.extend([N, c])",
    "P.extend(Q[:3])",
    "P += [N]",
    "P[I] = N",
    "P[I] += 1",
    "if P: P[I] = N",
    "P[1:2] = [N, N]",
    "del P[I]",
    "if len(P) > 1: del P[:1]",
    "P.reverse()",
    "P.clear()",
    "if c in P: P.remove(c)",
)
"""Statements that change a list: `P` and `Q` are lists, `N` is a number, `I` an index."""

BINDINGS = (
    "P = []",
    "P = P + [N]",
    "P = P[1:]",
    "P = Q",
    "P = list(Q)",
    "P = Q[::-1]",
    "P, Q = Q, P",
    "P = [v % 9 + 1 for v in Q]",
    "P = [v for v in Q if v > N]",
    "P = [c] * (c % 3)",
    "P = P[:6] if len(P) > N else P[1:]",
)
"""Statements that bind a variable to another list."""

LIST_VALUES = [
    "len(ys)",
    "sum(xs)",
    "(xs[-1] if xs else 3)",
    "(ys[0] if ys else 3)",
    "max(ys, default=2)",
    "ys.count(2)",
    "(1 if a in ys else 2)",
    "(1 if xs == ys else 2)",
    "(1 if xs is ys else 2)",
]


SIZED = (
    "s = s[s > N]",
    "s = (x + 0.0)[x > N]",
    "s = np.append(s, N)",
    "s = np.append(s, [1.5, c])",
    "if len(s) < 20: s = np.concatenate([s, x, s])",
    "s = s[c % 4:]",
    "s = s[:c % 5]",
    "s = s[:N]",
    "s = s[1:]",
    "s = s[::-1]",
    "s = s[::2].copy()",
    "s = s * 2 - 1",
    "s = s + s[::-1] % 5",
    "s = np.sort(s) % 9",
    "s = np.unique(s)",
    "s = np.cumsum(s) % 7",
    "s = np.where(s > N, s, 1)",
    "s = np.zeros(c % 4)",
    "s = np.arange(c % 6) * 0.5",
    "s = np.flatnonzero(s > N) + 0.5",
    "s = x + 0.0 if N > 2 else s",
    "if s.size: s[0] = N",
    "if len(s) > 1: s[-1] += 1",
    "s[s > 3] = N",
    "s[1:3] = 2",
    "s += 1",
    "s = s + x",
    "s = s[np.argsort(s)]",
    "s = s.reshape(-1, 1)[:, 0]",
    "s = np.delete(s, 0) if s.size > 2 else s",
)
"""Statements that bind `s` to an array of another size, or write it; `N` is a number."""

SIZED_VALUES = [
    "len(s)",
    "s.size",
    "s.sum()",
    "(s > 1).sum()",
    "(s[0] if len(s) else 3)",
    "(s[-1] if s.size > 1 else 2)",
    "np.max(s, initial=0)",
    "s.shape[0]",
    "(s @ s) % 7",
]


class NumericWriter:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.chance = self.random.random
        self.choice = self.random.choice
        self.lines: list[str] = []
        self.loops = 0
        self.has_object = self.chance() < 0.5
        self.has_list = self.chance() < 0.4
        self.has_grown_lists = self.has_list and self.chance() < 0.7
        self.has_closure = self.chance() < 0.3
        self.has_errors = self.chance() < 0.4
        self.has_arrays = self.chance() < 0.3
        self.has_optional = self.chance() < 0.3
        self.has_sizes = self.chance() < 0.3

    def program(self) -> str:
        """The text of the program."""
        self.lines = PROLOGUE.splitlines()
        self.line(0, "def f(a, b, x):")
        self.line(1, "c = 0")
        self.line(1, "fuel = 0")
        if self.has_object:
            self.line(1, f"p = Point({self.number()}, {self.choice(NAMES)})")
        if self.has_list:
            self.line(1, f"xs = [{self.number()}, {self.number()}, a]")
        if self.has_grown_lists:
            self.line(1, f"ys = {self.choice(('[]', '[a]', 'xs', 'xs[1:]', '[v for v in xs if v > 2]'))}")
        if self.has_arrays:
            self.line(1, f"y = {self.choice(('x', 'x * 2', 'x[:]', 'x.copy()'))}")
            self.line(1, f"z = {self.choice(('x', 'y', 'y + 1', 'y[:]'))}")
        if self.has_sizes:
            # Of floats always: two dtypes on two paths are joined to one.
            first = self.choice(("x + 0.0", "x[x > 0] * 2.0", "x[:b] + 0.5", "np.zeros(0)", "np.ones(3)"))
            self.line(1, f"s = {first}")
        if self.has_optional:
            self.line(1, f"m = {self.choice(('None', 'None', 'a'))}")
        if self.has_closure:
            self.line(1, "def bump(by):")
            self.line(2, "nonlocal c")
            self.line(2, f"c = (c + {self.choice(('by', '1', 'a'))}) % 50")
            self.line(2, "return c")
        self.block(1, depth=0, in_loop=False)
        self.line(1, f"return {self.returned()}")
        return "\n".join(self.lines) + "\n"

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int, depth: int, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 4 - min(depth, 2))):
            self.statement(indent, depth, in_loop)

    def statement(self, indent: int, depth: int, in_loop: bool) -> None:
        kinds = [self.assign] * 4 + [self.augment, self.item, self.say, self.write]
        if self.has_object or self.has_list or self.has_closure:
            kinds += [self.write] * 2
        kinds += [self.list] * 5 * self.has_grown_lists + [self.sized] * 5 * self.has_sizes
        kinds += [self.array] * 3 * self.has_arrays + [self.optional] * 2 * self.has_optional
        if depth < 3:
            kinds += [self.branch, self.branch, self.for_range, self.loop, self.for_array]
            kinds += [self.for_list] * self.has_grown_lists + [self.for_sized] * self.has_sizes
        if in_loop:
            kinds += [self.leave_loop, self.leave_loop]
        if depth:
            kinds += [self.leave]
        if self.has_errors:
            kinds += [self.check, self.throw] if depth else [self.check]
        self.choice(kinds)(indent, depth, in_loop)

    def assign(self, indent: int, depth: int, in_loop: bool) -> None:
        if self.chance() < 0.2:
            first, second = self.random.sample(NAMES, 2)
            self.line(indent, f"{first}, {second} = {second}, {self.number()}")
        else:
            self.line(indent, f"{self.choice(NAMES)} = {self.number()}")

    def augment(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"{self.choice(NAMES)} {self.choice(['+=', '-='])} {self.number()}")

    def item(self, indent: int, depth: int, in_loop: bool) -> None:
        target = self.choice(["x[1]", "x[2]", "x[c % 4]", "x[:2]"])
        self.line(indent, f"{target} {self.choice(['=', '+='])} {self.number()}")

    def array(self, indent: int, depth: int, in_loop: bool) -> None:
        """Binds, swaps or writes arrays that may share memory."""
        shapes = ["y = z", "z = y", "y = x", "y, z = z, y", "y = y * 2 % 7", "z = x + y", "y = z.copy()"]
        shapes += ["y += 1", "z[0] = {}", "y[1] += {}", "x += 1", "z[1:] = 3", "z = y if {} > 2 else x"]
        shapes += ["y = y + 1 if {} > 2 else z"]
        self.line(indent, self.choice(shapes).format(self.number()))

    def list(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes a list, binds another one, or uses one."""
        shapes = [*CHANGES, *CHANGES, *BINDINGS]
        first, second = self.random.sample(("xs", "ys"), 2)
        line = self.choice(shapes).replace("P", first).replace("Q", second)
        self.line(indent, line.replace("N", self.number()).replace("I", self.choice(("0", "-1", "c % 3"))))

    def sized(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes the array whose size depends on data."""
        self.line(indent, self.choice(SIZED).replace("N", self.number()))

    def for_sized(self, indent: int, depth: int, in_loop: bool) -> None:
        self.for_(indent, depth, self.choice(("s[:4]", "range(len(s) % 5)", "s[s > 2][:3]")))

    def for_list(self, indent: int, depth: int, in_loop: bool) -> None:
        # Of a part: a loop over a list that its body appends to has no end.
        self.for_(
            indent, depth, self.choice(("xs[:3]", "ys[:3]", "list(xs[-2:])", "reversed(ys[:3])", "xs[:2]"))
        )

    def optional(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes a variable that may be `None`, or uses it where it is not."""
        shapes = ["m = {}", "m = {}", "m = None", "m = a if {} > 2 else None", "print(m)"]
        shapes += ["c = (c if m is None else m) % 50", "m = None if m else {}"]
        shapes += ["m += {}", "m = m + {}"] * self.has_errors
        self.line(indent, self.choice(shapes).format(self.number()))

    def write(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes an object, a list, or a variable through a closure."""
        shapes = []
        if self.has_object:
            shapes += ["p.v = {}", "p.v += {}", "p.w -= {}", "p.move({})", "c = p.move({}) % 13"]
        if self.has_list:
            shapes += ["xs[0] = {}", "xs[1] += {}", "xs[-1] = {}", "xs.append({})"]
        if self.has_closure:
            shapes += ["bump({})", "a = bump({})"]
        self.line(indent, self.choice(shapes or ["c = helper({}) % 9"]).format(self.number()))

    def say(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"print({self.random.randint(0, 99)}, {self.choice(NAMES)})")

    def check(self, indent: int, depth: int, in_loop: bool) -> None:
        if self.chance() < 0.5:
            self.line(indent, f"assert {self.choice(NAMES)} < {self.choice(('40', '9'))}, 'too large'")
        else:
            self.line(indent, f"c = stops({self.choice(NAMES)}, {self.choice(('20', '60'))}) % 50")

    def throw(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"if {self.choice(NAMES)} > {self.choice(('15', '5'))}:")
        self.line(indent + 1, f"raise {self.choice(('ValueError', 'KeyError', 'RuntimeError'))}('stop')")

    def test(self) -> str:
        one = f"{self.number()} {self.choice(['<', '>', '==', '!=', '<='])} {self.number()}"
        shape = self.chance()
        if self.has_optional and shape > 0.75:
            return self.choice(["m is None", "m is not None and m > 2", "m", f"not m and {one}", "m != 2"])
        if shape < 0.15:
            return f"{one} and {self.test()}"
        if shape < 0.3:
            return f"not {self.choice(NAMES)} > 2 or {one}"
        if shape < 0.4:
            return f"{self.number()} < {self.number()} < {self.number()}"
        return one

    def number(self) -> str:
        choice = self.chance()
        if choice < 0.5:
            return self.simple()
        left, right = self.simple(), self.simple()
        if choice < 0.6:
            return f"({left} * 2 - {right}) % 11"
        if choice < 0.65:
            return f"{left} // 3"
        if choice < 0.7:
            return f"helper({left}, {right})"
        return f"({left} {self.choice(['+', '-'])} {right})"

    def simple(self) -> str:
        simple = [*NAMES, *NAMES, "1", "2", "7", "x[0]", "x[3]", "x.sum()", "(a if b > c else 3)"]
        if len(self.lines) > PROLOGUE.count("\n") + 4:
            simple += ["p.v", "p.w", "p.norm()"] * self.has_object + ["xs[0]", "len(xs)"] * self.has_list
            simple += LIST_VALUES * self.has_grown_lists
            simple += ["y[0]", "z[1]", "y.sum()", "z.sum()"] * self.has_arrays
            simple += SIZED_VALUES * self.has_sizes
            simple += ["(m or 3)", "(4 if m is None else m)"] * self.has_optional
            if self.has_closure and "closure in an expression" not in AVOIDED:
                simple.append("(bump(1) if a > b else 2)")
        return self.choice(simple)

    def returned(self) -> str:
        results = ["a", "b, c", "a, b, c, x.sum()", "c"]
        results += ["y.sum(), z.sum()"] * self.has_arrays + ["m", "m, a"] * self.has_optional
        # Of two dtypes on two paths, as `y` and `s` may be, one is the result's.
        results += ["y, z[1]"] * (self.has_arrays and not self.has_sizes)
        results += ["s", "s, c", "len(s), s"] * self.has_sizes
        results += ["xs, ys", "ys", "len(xs), ys"] * self.has_grown_lists
        results += ["p.v, p.w, c", "(p.norm(), b)"] * self.has_object
        results += ["xs, a", "[xs[0], c]"] * (self.has_list and "list results" not in AVOIDED)
        return self.choice(results)

    def branch(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"if {self.test()}:")
        self.block(indent + 1, depth + 1, in_loop)
        if self.chance() < 0.5:
            self.line(indent, "else:")
            self.block(indent + 1, depth + 1, in_loop)

    def for_(self, indent: int, depth: int, items: str) -> None:
        self.loops += 1
        self.line(indent, f"for i{self.loops} in {items}:")
        self.line(indent + 1, f"c = (c + i{self.loops}) % 50")
        self.block(indent + 1, depth + 1, True)
        if self.chance() < 0.2:
            self.line(indent, "else:")
            self.block(indent + 1, depth + 1, False)

    def for_range(self, indent: int, depth: int, in_loop: bool) -> None:
        ranges = ["range(6)", "range(b % 4)", "range(1, 8, 3)", "range(5, 0, -1)", "range(2)"]
        self.for_(indent, depth, self.choice(ranges))

    def for_array(self, indent: int, depth: int, in_loop: bool) -> None:
        self.for_(indent, depth, "range(len(x))")

    def loop(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"while fuel < 12 and ({self.test()}):")
        self.line(indent + 1, "fuel += 1")
        self.block(indent + 1, depth + 1, True)

    def leave(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"return {self.returned()}")

    def leave_loop(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, self.choice(("break", "continue")))
