"""Random expressions of the pure-Python programs.

Most are integers, so that programs get far before they fail; `note(x)` in them writes its argument to
the log and gives it back, so that the order and number of evaluations show.
"""

from __future__ import annotations

import dataclasses
import random

COMPARISONS = ("<", "<", ">", "<=", ">=", "==", "!=")
ARITHMETIC = ("+", "+", "-", "-", "*", "%", "//", "&", "|", "^")


@dataclasses.dataclass
class Scope:
    """What the code at one place may name.

    Attributes:
        ints: Variables that hold integers, or nearly always do.
        unsure: Variables that may be unbound.
        lists: Variables that hold lists.
        dicts: Variables that hold dicts.
        objects: Variables that hold objects of the program's class.
        functions: Local functions of one argument.
        outer: Variables of the enclosing function that may be assigned after `nonlocal`.
        is_generator: Whether the function is one.
        loops: Loops around the place, up to the function.
        depth: Blocks around the place.
        level: Functions around the place.
    """

    ints: list[str] = dataclasses.field(default_factory=list)
    unsure: list[str] = dataclasses.field(default_factory=list)
    lists: list[str] = dataclasses.field(default_factory=list)
    dicts: list[str] = dataclasses.field(default_factory=list)
    objects: list[str] = dataclasses.field(default_factory=list)
    functions: list[str] = dataclasses.field(default_factory=list)
    outer: list[str] = dataclasses.field(default_factory=list)
    is_generator: bool = False
    loops: int = 0
    depth: int = 0
    level: int = 0


class Expressions:
    """Writes expressions over a scope.

    Attributes:
        is_rich: Also what the tracing back-end always refuses: comprehensions, lambdas that are
            values, generators.
    """

    def __init__(self, seed: int, is_rich: bool) -> None:
        self.random = random.Random(seed)
        self.chance = self.random.random
        self.choice = self.random.choice
        self.is_rich = is_rich
        self.scope = Scope()
        self.count = 0
        self.helpers: list[str] = []
        self.has_class = False
        self.has_recursion = False
        self.generators: list[str] = []

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # Integers

    def integer(self, depth: int = 0) -> str:
        chance = self.chance()
        if depth > 2 or chance < 0.35:
            return self.simple()
        if chance < 0.6:
            operator, left, right = self.choice(ARITHMETIC), self.integer(depth + 1), self.integer(depth + 1)
            if operator in "%//" and self.chance() < 0.9:
                right = str(2 + int(self.chance() * 7))
            return f"({left} * {right} % 1000)" if operator == "*" else f"({left} {operator} {right})"
        if chance < 0.68:
            return f"note({self.integer(depth + 1)})"
        return self.choice(self.INTEGERS)(self, depth + 1)

    def simple(self) -> str:
        chance = self.chance()
        if chance < 0.2:
            return str(int(self.chance() * 12) - 2)
        if chance < 0.24 and self.scope.unsure:
            return self.choice(self.scope.unsure)
        if chance < 0.3 and self.scope.lists:
            return f"{self.choice(self.scope.lists)}[{int(self.chance() * 4) - 2}]"
        if chance < 0.36 and self.scope.objects:
            return f"{self.choice(self.scope.objects)}.{self.choice(('v', 'v', 'twice', 'w'))}"
        return self.choice(self.scope.ints)

    def conditional(self, depth: int) -> str:
        return f"({self.integer(depth)} if {self.test(depth)} else {self.integer(depth)})"

    def logical(self, depth: int) -> str:
        operator = self.choice(("and", "or"))
        return f"({self.integer(depth)} {operator} {self.integer(depth)})"

    def call(self, depth: int) -> str:
        names = self.helpers + self.scope.functions * 3
        if not names or self.scope.loops > 1:
            return self.simple()
        name = self.choice(names)
        if name in self.scope.functions:
            return f"{name}({self.integer(depth)})"
        return f"{name}({self.arguments(depth)})"

    def arguments(self, depth: int) -> str:
        """For the signature `(a, b=.., *rest, c=.., **more)`."""
        first, second = self.integer(depth), self.integer(depth)
        shapes = (
            first,
            f"{first}, {second}",
            f"{first}, c={second}",
            f"b={first}, a={second}",
            f"{first}, {second}, {self.simple()}, c={self.simple()}",
            f"*({first}, {second})",
            f"*({first}, 1), *({second}, 1), z={self.simple()}",
            f"{first}, **{{'c': {second}, 'z': {self.simple()}}}",
            f"*[{first}], *({second}, 1), z={self.simple()}",
        )
        return self.choice(shapes if self.is_rich else shapes[:-2])

    def method(self, depth: int) -> str:
        if not self.scope.objects:
            return self.simple()
        target = self.choice(self.scope.objects)
        if self.scope.loops > 1:
            return f"{target}.v"
        shape = self.choice(
            ("{}.move({})", "len({})", "{}[{}]", "({} + {}).v", "{}.scale({})", "P.make({}).v")
        )
        return (
            shape.format(target, self.integer(depth))
            if shape[0] != "P"
            else shape.format(self.integer(depth))
        )

    def builtin(self, depth: int) -> str:
        shape = self.choice(
            (
                "max({}, {})",
                "min({}, {})",
                "abs({})",
                "int({})",
                "len(str({}))",
                "pow({}, 2) % 97",
                "divmod({}, 7)[1]",
            )
        )
        return shape.format(*(self.integer(depth) for _ in range(shape.count("{}"))))

    def of_list(self, depth: int) -> str:
        if not self.scope.lists:
            return self.simple()
        name = self.choice(self.scope.lists)
        shape = self.choice(
            ("len({})", "sum({})", "{}.pop()", "{}[{}]", "{}.count({})", "{}[{} % 3]", "max({})")
        )
        return shape.format(name, self.integer(depth))

    def of_dict(self, depth: int) -> str:
        if not self.scope.dicts:
            return self.simple()
        name = self.choice(self.scope.dicts)
        shape = self.choice(("{}.get({}, 5)", "{}[{}]", "len({})", "{}.setdefault({}, 3)", "{}.pop({}, 4)"))
        return shape.format(name, self.integer(depth))

    def truth(self, depth: int) -> str:
        return f"int({self.test(depth)})"

    def immediate(self, depth: int) -> str:
        name = self.fresh("z")
        self.scope.ints.append(name)
        body = self.integer(depth)
        self.scope.ints.remove(name)
        return f"(lambda {name}: {body})({self.integer(depth)})"

    def walrus(self, depth: int) -> str:
        name = self.choice(self.scope.ints)
        if not self.is_rich or name.startswith(("z", "k", "self", "fuel", "COUNT")):
            return self.simple()
        return f"({name} := {self.integer(depth)})"

    def comprehension(self, depth: int) -> str:
        if not self.is_rich:
            return self.simple()
        name, other = self.fresh("k"), self.fresh("k")
        self.is_rich = False
        items = self.iterable(depth)
        self.is_rich = True
        self.scope.ints.append(name)
        kept = self.scope.unsure
        self.scope.unsure = []
        body, test = self.without_walrus(depth + 1), self.without_walrus(depth + 1, True)
        self.scope.unsure = kept
        self.scope.ints.remove(name)
        shape = self.choice(
            (
                "sum([{b} for {n} in {i} if {t}])",
                "len({{{b} for {n} in {i}}})",
                "sum({b} for {n} in {i} if {t})",
                "len({{{n}: {b} for {n} in {i} if {t}}})",
                "any({t} for {n} in {i})",
                "sum([(lambda q={n}: q + {b})() for {n} in {i}])",
                "sum([{b} + {m} for {n} in {i} if {t} if {b} for {m} in ({n}, 2)])",
                "len([{m} for {n} in {i} for {m} in range({n} % 3) if {m} + {b}])",
            )
        )
        return shape.format(b=body, n=name, m=other, i=items, t=test)

    def without_walrus(self, depth: int, is_test: bool = False) -> str:
        """A comprehension may not assign its own variables."""
        was, self.is_rich = self.is_rich, False
        text = self.test(depth) if is_test else self.integer(depth)
        self.is_rich = was
        return text

    INTEGERS = (
        conditional,
        conditional,
        logical,
        call,
        call,
        method,
        method,
        builtin,
        of_list,
        of_dict,
        truth,
        immediate,
        walrus,
        comprehension,
    )

    # Tests

    def test(self, depth: int = 0) -> str:
        chance = self.chance()
        if depth > 2 or chance < 0.5:
            return f"{self.integer(depth + 1)} {self.choice(COMPARISONS)} {self.integer(depth + 1)}"
        if chance < 0.6:
            first, second, third = (f"note({self.integer(depth + 2)})" for _ in range(3))
            return f"{first} {self.choice(COMPARISONS)} {second} {self.choice(COMPARISONS)} {third}"
        if chance < 0.75:
            return f"({self.test(depth + 1)} {self.choice(('and', 'or'))} {self.test(depth + 1)})"
        if chance < 0.82:
            return f"not {self.test(depth + 1)}"
        if chance < 0.88 and self.scope.lists:
            return (
                f"{self.integer(depth + 1)} {self.choice(('in', 'not in'))} {self.choice(self.scope.lists)}"
            )
        if chance < 0.91 and self.scope.objects:
            return self.choice(self.scope.objects)
        if chance < 0.94 and self.scope.dicts:
            return f"{self.integer(depth + 1)} in {self.choice(self.scope.dicts)}"
        if chance < 0.97:
            return f"{self.integer(depth + 1)} in (1, {self.simple() if self.is_rich else '2'}, 3)"
        return f"note({self.integer(depth + 1)})"

    # Things to iterate

    def iterable(self, depth: int = 0) -> str:
        choices = [
            f"range({self.integer(depth + 1)} % 4)",
            f"({self.simple()}, {self.simple()})",
            "range(1, 6, 2)",
        ]
        if self.scope.lists:
            choices.append(f"list({self.choice(self.scope.lists)})[:4]")
            choices.append(f"{self.choice(self.scope.lists)}[:3]")
        if self.scope.dicts:
            choices.append(f"sorted({self.choice(self.scope.dicts)})[:4]")
        if self.is_rich and self.generators:
            choices.append(f"{self.choice(self.generators)}({self.simple()} % 4)")
        return self.choice(choices)

    def formatted(self) -> str:
        value = self.choice(
            (
                f"{{{self.simple()}}}",
                f"{{{self.integer(2)}!r}}",
                f"{{{self.simple()}:>{int(self.chance() * 5) + 1}}}",
                f"a{{{self.simple()}}}b{{{self.simple()}:03d}}",
            )
        )
        return f'f"{value}"'
