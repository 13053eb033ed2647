"""Random programs over lists of lists and objects that refer to each other, by many names."""

from __future__ import annotations

import random

HEADER = """
class Item:
    def __init__(self, value, rows, other):
        self.value = value
        self.rows = rows
        self.other = other


def program(n, m):
    n, m = int(n), int(m)
    g = [[j, n] for j in range(2)]
    for j in range(n):
        g.append([j])
    a = g[0]
    b = [m]
    s = 0
    items = [Item(0, b, None)]
    for j in range(n):
        items.append(Item(j, [j], items[-1]))
    p = items[0]
    q = Item(7, a, p)
"""

FOOTER = """
    return g, a, b, s, items, p, q, a is b, a is g[0], p is q, p is items[0]
"""


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops: list[str] = []

    def text(self) -> str:
        """The program."""
        self.block(1, self.random.randint(3, 9), 0)
        return HEADER + "\n".join(self.lines) + FOOTER

    def number(self) -> str:
        """An expression that is an int."""
        choices = [
            "n",
            "m",
            "s % 11",
            "len(g)",
            "len(a)",
            "len(b)",
            "p.value",
            str(self.random.randint(-3, 5)),
        ]
        return self.random.choice([*choices, *self.loops * 3])

    def row(self) -> str:
        """An expression that is a list."""
        places = [f"g[({self.number()}) % len(g)]", "g[-1]", "g[0]", "p.rows", "q.rows", "a", "b", "a", "b"]
        return self.random.choice(places)

    def item(self) -> str:
        """An expression that is an object."""
        return self.random.choice(["p", "q", "items[-1]", f"items[({self.number()}) % len(items)]"])

    def test(self) -> str:
        """An expression that is a bool."""
        tests = [
            f"{self.number()} > {self.number()}",
            "len(a) > len(b)",
            "a is b",
            "p is q",
            f"{self.row()} is {self.row()}",
            "p.other is None",
            f"{self.number()} in {self.row()}",
            f"{self.row()} == {self.row()}",
        ]
        return self.random.choice(tests)

    def block(self, depth: int, count: int, nesting: int) -> None:
        """Some statements."""
        for _ in range(count):
            self.statement(depth, nesting)

    def add(self, depth: int, *lines: str) -> None:
        """Adds lines at a depth."""
        self.lines += ["    " * depth + line for line in lines]

    def statement(self, depth: int, nesting: int) -> None:
        """One statement."""
        kind = self.random.randint(0, 29)
        name, row, number, item = self.random.choice("ab"), self.row(), self.number(), self.item()
        if kind <= 3:
            self.add(depth, f"{row}.append({number})")
        elif kind <= 6:
            self.add(depth, f"{name} = {row}")
        elif kind == 7:
            self.add(depth, f"{name} = [{number}, {self.number()}]")
        elif kind == 8:
            self.add(depth, f"{name} = {self.random.choice(['list', 'sorted'])}({row})")
        elif kind == 9:
            self.add(depth, f"g.append({self.random.choice([row, '[' + number + ']', 'a', 'list(b)'])})")
        elif kind == 10:
            self.add(depth, f"g[({number}) % len(g)] = {self.row()}")
        elif kind == 11:
            self.add(depth, f"if len({name}) > 1:", f"    {name}[1] = {number}", f"    s += {name}.pop()")
        elif kind == 12:
            self.add(depth, "if len(g) > 1:", f"    {name} = g.pop({self.random.choice(['', '0', '-1'])})")
        elif kind == 13:
            self.add(depth, self.random.choice(["g.reverse()", f"{row}.reverse()", f"{row}.sort()"]))
        elif kind == 14:
            self.add(depth, f"for v in {row}:", f"    s += v * {self.random.randint(1, 3)}")
        elif kind == 15:
            self.add(depth, "for w in g:", "    if len(w) < 6:", f"        w.append({number})")
        elif kind == 16:
            self.add(depth, "a, b = b, a")
        elif kind == 17:
            self.add(depth, f"{self.random.choice('pq')} = {item}")
        elif kind == 18:
            self.add(depth, f"{item}.value = {number}", f"{self.item()}.value += 1")
        elif kind == 19:
            self.add(depth, f"{item}.rows = {row}")
        elif kind == 20:
            self.add(depth, f"{item}.other = {self.random.choice(['None', self.item()])}")
        elif kind == 21:
            self.add(
                depth, f"items.append({self.random.choice([item, f'Item({number}, {row}, {self.item()})'])})"
            )
        elif kind == 22:
            self.add(depth, "if p.other is not None:", "    p = p.other")
        elif kind == 23:
            self.add(depth, f"s += len({row}) + {item}.value")
        elif nesting < 2 and kind <= 26:
            self.add(depth, f"if {self.test()}:")
            self.block(depth + 1, self.random.randint(1, 3), nesting + 1)
            if self.random.random() < 0.5:
                self.add(depth, "else:")
                self.block(depth + 1, self.random.randint(1, 3), nesting + 1)
        elif nesting < 2:
            loop = f"k{depth}"
            self.add(depth, f"for {loop} in range({self.random.choice(['n', 'm', '2'])}):")
            self.loops.append(loop)
            self.block(depth + 1, self.random.randint(1, 3), nesting + 1)
            self.loops.pop()
            if self.random.random() < 0.2:
                self.add(depth + 1, f"if {self.test()}:", "    break")
        else:
            self.add(depth, f"s += {number}")
