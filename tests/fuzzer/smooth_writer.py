"""Random programs that are differentiable almost everywhere, of floats that stay small.

Branches and loops that depend on data, loops that are left early, lists, arrays that are written in place and
may be one and the same, an object, a closure that writes a variable, helper functions, recursion, complex
numbers, functions with rules of their own.

>>> SmoothWriter(3).program().splitlines()[0]
'class Point:'
"""

from __future__ import annotations

import random

from fuzzer.smooth_shapes import (
    ARRAY_VALUES,
    ARRAYS,
    COMPLEX_OF_ARRAY,
    COMPLEX_OF_ONE,
    COMPLEX_OF_TWO,
    COMPLEX_VALUES,
    COMPLEX_WRITES,
    GRID,
    GRID_VALUES,
    LIST_VALUES,
    LISTS,
    NAMES,
    OF_ARRAY,
    OF_ONE,
    OF_RULES,
    OF_TWO,
    PROLOGUE,
    ROW_VALUES,
    ROWS,
    RULES,
    WRITES,
)


class SmoothWriter:
    """Writes the program of a seed.

    Args:
        seed: Which program.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.chance, self.choice = self.random.random, self.random.choice
        self.lines: list[str] = []
        self.loops = self.first = 0
        self.features()
        self.of_one = OF_ONE + COMPLEX_OF_ONE * self.has_complex
        self.of_two = OF_TWO + COMPLEX_OF_TWO * self.has_complex + OF_RULES * self.has_rules
        self.of_array = OF_ARRAY + COMPLEX_OF_ARRAY * self.has_complex
        self.array_values = ARRAY_VALUES + COMPLEX_VALUES * self.has_complex
        results = ["a", "c", "b * c", "np.sum(y)", "y", "b, c", "c, y", "(a, (b, z))", "{'a': a, 'z': z}"]
        results += ["np.tanh(sum([row.sum() for row in rows])), c"] * 2 * self.has_rows
        results += ["sum(grid[0]) * a, sum(grid[1])"] * 2 * self.has_grid
        results += ["xs", "xs, c"] * self.has_list + ["p.v * p.w, c"] * self.has_object
        self.result = self.choice(results)

    def features(self) -> None:
        """Draws what the program is made of."""
        self.has_list, self.has_object = self.chance() < 0.5, self.chance() < 0.3
        self.has_closure = self.chance() < 0.3
        self.has_complex, self.has_rules = self.chance() < 0.3, self.chance() < 0.3
        self.has_rows, self.has_grid = self.chance() < 0.25, self.chance() < 0.25

    def program(self) -> str:
        """The program: ``f(a, b, x, n)``."""
        self.lines = [*PROLOGUE.splitlines(), *(RULES.splitlines() * self.has_rules)]
        self.first = len(self.lines)
        self.line(0, "def f(a, b, x, n):")
        self.line(1, f"c = {self.choice(('0.5', 'a', 'a * b', 'np.sin(x[1])'))}")
        self.line(1, f"y = {self.choice(('x', 'x.copy()', 'np.sin(x)', 'np.zeros(4)', 'x[::-1].copy()'))}")
        self.line(1, f"z = {self.choice(('y', 'x * a', 'np.ones(4)', 'x'))}")
        self.line(1, "fuel = 0")
        if self.has_complex:
            self.line(
                1, f"w = {self.choice(('1.0 + 0.5j', 'a + 1j * b', 'np.exp(1j * x[0])', '(a + 0.5) * 1j'))}"
            )
        if self.has_list:
            self.line(1, f"xs = {self.choice(('[a, b]', '[x[0], 0.5, c]', '[c]'))}")
        if self.has_rows:
            self.line(1, f"rows = {self.choice(('[x[x > a], x * 2.0]', '[x[:n % 4], y.copy()]'))}")
        if self.has_grid:
            self.line(1, f"grid = {self.choice(('[[a, b], [c]]', '[[x[0]], [0.5, a, b]]'))}")
        if self.has_object:
            self.line(1, f"p = Point({self.choice(('a', 'x[0]'))}, {self.choice(('b', '0.5'))})")
        if self.has_closure:
            self.line(1, "def bump(by):")
            self.line(2, "nonlocal c")
            self.line(2, f"c = np.tanh(c + {self.choice(('by', 'by * a', 'x[2] * by'))})")
            self.line(2, "return c")
        self.block(1, depth=0, in_loop=False)
        self.block(1, depth=1, in_loop=False)
        self.line(1, f"return {self.result}")
        return "\n".join(self.lines) + "\n"

    @property
    def begun(self) -> int:
        """How many lines of ``f`` there are."""
        return len(self.lines) - self.first

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int, depth: int, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 4 - min(depth, 2))):
            self.statement(indent, depth, in_loop)

    def statement(self, indent: int, depth: int, in_loop: bool) -> None:
        kinds = [self.assign] * 4 + [self.augment] + [self.write] * 4 + [self.array] * 2
        kinds += [self.list] * 3 * self.has_list + [self.object] * 2 * self.has_object
        kinds += [self.row] * 4 * self.has_rows + [self.cell] * 4 * self.has_grid
        kinds += [self.bump] * 2 * self.has_closure + [self.turn] * 3 * self.has_complex
        if depth < 3:
            kinds += [self.branch, self.branch, self.for_, self.for_, self.loop]
        if in_loop:
            kinds += [self.leave_loop] * 2
        if depth:
            kinds += [self.leave]
        self.choice(kinds)(indent, depth, in_loop)

    def filled(self, shape: str) -> str:
        """A shape with arrays for ``A`` and ``B``, a value for ``E``, an array's for ``F``."""
        first, second = self.choice(ARRAYS), self.choice(ARRAYS)
        text = []
        for place, letter in enumerate(shape):
            around = shape[max(place - 1, 0) : place + 2].replace(letter, "", 1)
            is_alone = not any(one.isalnum() or one == "_" for one in around)
            made = {"A": first, "B": second}.get(letter) if is_alone else None
            if is_alone and letter == "E":
                made = self.value(2)
            if is_alone and letter == "F":
                made = self.filled(self.choice(self.array_values))
            text.append(made or letter)
        return "".join(text)

    def value(self, depth: int = 0) -> str:
        """An expression of one float."""
        chance = self.chance()
        if depth > 2 or chance < 0.3:
            return self.simple()
        if chance < 0.5:
            return self.choice(self.of_one).format(self.value(depth + 1))
        if chance < 0.75:
            return self.choice(self.of_two).format(self.value(depth + 1), self.value(depth + 1))
        if chance < 0.85:
            return f"({self.value(depth + 1)} if {self.test(depth + 1)} else {self.value(depth + 1)})"
        return self.filled(self.choice(self.of_array))

    def simple(self) -> str:
        simple = [*NAMES, *NAMES, "0.5", "1.25", "x[0]", "y[1]", "z[3]"]
        is_begun = self.begun > 9
        simple += ROW_VALUES * (self.has_rows and is_begun) + GRID_VALUES * (self.has_grid and is_begun)
        simple += LIST_VALUES * self.has_list * (self.begun > 6)
        simple += ["p.v", "p.w"] * self.has_object * (self.begun > 7)
        return self.choice(simple)

    def test(self, depth: int = 1) -> str:
        one = f"{self.value(depth + 1)} {self.choice(('<', '>', '<=', '>='))} {self.value(depth + 1)}"
        chance = self.chance()
        if chance < 0.15:
            return f"n % 2 == {self.choice('01')}"
        if chance < 0.25:
            return f"{one} and {self.simple()} < 0.9"
        if chance < 0.35:
            return f"not {self.simple()} > 0.4 or {one}"
        return f"0.1 < {self.value(depth + 1)} < 0.8" if chance < 0.42 else one

    def assign(self, indent: int, depth: int, in_loop: bool) -> None:
        if self.chance() < 0.2:
            first, second = self.random.sample(NAMES, 2)
            self.line(indent, f"{first}, {second} = {second}, {self.value()}")
        else:
            self.line(indent, f"{self.choice(NAMES)} = {self.value()}")

    def augment(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"{self.choice(NAMES)} {self.choice(('+=', '-=', '*='))} {self.value(1)}")

    def write(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, self.filled(self.choice(WRITES)))

    def array(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"{self.choice(('y', 'z'))} = {self.filled(self.choice(self.array_values))}")

    def list(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, self.filled(self.choice(LISTS)))

    def row(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes a list of arrays whose sizes depend on data."""
        self.line(indent, self.filled(self.choice(ROWS)))

    def cell(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes a list of lists."""
        self.line(indent, self.filled(self.choice(GRID)))

    def object(self, indent: int, depth: int, in_loop: bool) -> None:
        shapes = ("p.v = E", "p.w += E", "p.v *= np.cos(E)", "c = p.move(E)", "p = Point(c, p.v)")
        self.line(indent, self.filled(self.choice(shapes)))

    def bump(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, self.filled(self.choice(("bump(E)", "a = bump(E)"))))

    def turn(self, indent: int, depth: int, in_loop: bool) -> None:
        """Changes a complex number."""
        self.line(indent, self.filled(self.choice(COMPLEX_WRITES)))

    def branch(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"if {self.test()}:")
        self.block(indent + 1, depth + 1, in_loop)
        if self.chance() < 0.5:
            self.line(indent, "else:")
            self.block(indent + 1, depth + 1, in_loop)

    def for_(self, indent: int, depth: int, in_loop: bool) -> None:
        items = ["range(n)", "range(3)", "range(n % 4, 0, -1)", "x", "y * 0.5", "range(len(z))"]
        items += ["xs[:3]", "list(xs[-2:])"] * self.has_list
        self.loops += 1
        self.line(indent, f"for i{self.loops} in {self.choice(items)}:")
        self.line(indent + 1, f"c = np.tanh(c + 0.3 * i{self.loops})")
        self.block(indent + 1, depth + 1, True)
        if self.chance() < 0.15:
            self.line(indent, "else:")
            self.block(indent + 1, depth + 1, False)

    def loop(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"while fuel < 9 and ({self.test()}):")
        self.line(indent + 1, "fuel += 1")
        self.block(indent + 1, depth + 1, True)

    def leave(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"return {self.result}")

    def leave_loop(self, indent: int, depth: int, in_loop: bool) -> None:
        if self.chance() < 0.5:
            self.line(indent, f"if {self.test()}:")
            indent += 1
        self.line(indent, self.choice(("break", "continue")))
