"""Whole pure-Python programs: a class, helper functions, and `f(a, b)`, over a log.

>>> text = Writer(seed=1, is_rich=True).program()
>>> "def f(a, b):" in text.splitlines()
True
"""

from __future__ import annotations

from fuzzer.expressions import Scope
from fuzzer.variety import Variety

PROLOGUE = """\
LOG = []
COUNT = 0
class Alpha(Exception):
    pass
class Beta(Alpha):
    pass
def note(x):
    LOG.append(x)
    return x
def set_count(x):
    global COUNT
    COUNT = COUNT * 2 % 100 + x
    LOG.append(COUNT)
class Manager:
    def __init__(self, value, swallows):
        self.value, self.swallows = value, swallows
    def __enter__(self):
        note(self.value)
        return self.value
    def __exit__(self, kind, error, traceback):
        note(None if kind is None else kind.__name__)
        return self.swallows is not None and kind is not None and issubclass(kind, self.swallows)
"""


class Writer(Variety):
    """Writes one program."""

    def program(self) -> str:
        """The text of the program, which needs `PROLOGUE` before it."""
        if self.chance() < 0.6:
            self.class_()
        for _ in range(int(self.chance() * 2.5)):
            self.helper()
        if self.chance() < 0.3:
            self.recursive()
        if self.is_rich and self.chance() < 0.4:
            self.generator()
        self.scope = Scope(ints=["a", "b", "c", "n0"])
        self.line("def f(a, b):")
        self.indent = 1
        self.line("c = n0 = fuel = 0")
        if self.chance() < 0.15:
            self.line("global COUNT")
            self.scope.outer.append("COUNT")
        if self.chance() < 0.6:
            self.new_list()
        for _ in range(3 + int(self.chance() * 5)):
            self.statement()
        self.line(f"return {self.choice((self.integer(), 'a, b, c', '(a, [b, c])', 'n0'))}")
        return "\n".join(self.lines) + "\n"

    def function(self, header: str, scope: Scope, statements: float, ends: bool = True) -> None:
        """A function of a few statements."""
        outer, self.scope = self.scope, scope
        self.line(header)
        self.indent += 1
        self.line("c = n0 = fuel = 0")
        scope.ints += ["c", "n0"]
        for _ in range(1 + int(self.chance() * statements)):
            self.statement()
        if ends:
            self.line(f"return {self.integer()}")
        self.indent -= 1
        self.scope = outer

    def helper(self) -> None:
        name = self.fresh("h")
        header = f"def {name}(a, b={int(self.chance() * 9)}, *rest, c=1, **more):"
        self.function(header, Scope(ints=["a", "b"], depth=1, loops=0), 3)
        self.helpers.append(name)

    def recursive(self) -> None:
        name = self.fresh("r")
        self.line(f"def {name}(a, b=2, *rest, c=0, **more):")
        outer, self.scope = self.scope, Scope(ints=["a", "b", "c"], depth=2)
        self.indent = 1
        self.line("if b <= 0:")
        self.line(f"    return {self.integer(1)}")
        self.statement()
        self.line(
            f"return {name}({self.integer(1)}, {self.choice(('b - 1', 'min(b, 4) - 1'))}) + {self.simple()}"
        )
        self.indent = 0
        self.scope = outer

    def generator(self) -> None:
        name = self.fresh("gen")
        scope = Scope(ints=["a"], is_generator=True, depth=1)
        self.function(f"def {name}(a):", scope, 3, ends=False)
        self.line("    yield c")
        self.generators.append(name)

    def class_(self) -> None:
        has_slots = self.chance() < 0.3
        self.line("class P:")
        self.indent = 1
        if has_slots:
            self.line("__slots__ = ('items', 'v', 'w')")
        self.line("def __init__(self, v):")
        self.line("    self.v = v")
        self.line("    self.w = v + 1")
        self.line("    self.items = [v, 2]")
        for name, parameters, result in METHODS:
            self.method_of_class(name, parameters, result)
        self.indent = 0
        self.has_class = True

    def method_of_class(self, name: str, parameters: str, result: str) -> None:
        for decorator in name.split()[:-1]:
            self.line(decorator)
        is_bound = parameters.startswith("self")
        self.line(f"def {name.split()[-1]}({parameters}):")
        outer, self.scope = self.scope, Scope(ints=["c"], depth=2)
        if is_bound:
            self.scope.ints += ["self.v", "self.w"]
        if "x" in parameters:
            self.scope.ints.append("x")
        self.indent += 1
        self.line("c = 1")
        if self.chance() < 0.5 and not name.startswith("__"):
            self.line(f"if {self.test(1)}:")
            self.line(
                f"    {self.choice(('c', 'self.v', 'self.w')) if is_bound else 'c'} = {self.integer(1)}"
            )
        self.line(f"return {result}")
        self.indent -= 1
        self.scope = outer


METHODS = (
    ("move", "self, x=1", "[note(self.v), setattr(self, 'v', self.v + x), self][2]"),
    ("scale", "self, x", "self.v * x % 1000 + c"),
    ("@property twice", "self", "self.v * 2 + c"),
    ("@property double", "self", "self.v"),
    ("@double.setter double", "self, x", "setattr(self, 'v', note(x + c))"),
    ("@staticmethod plain", "x", "x + c"),
    ("@classmethod make", "cls, x", "cls(x)"),
    ("__len__", "self", "abs(self.w) % 5"),
    ("__getitem__", "self, x", "self.v + x"),
    ("__add__", "self, x", "P(self.v + (x.v if isinstance(x, P) else x))"),
    ("__eq__", "self, x", "isinstance(x, P) and self.v == x.v"),
    ("__bool__", "self", "self.v > 2"),
)
